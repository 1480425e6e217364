// Makes the calls of a file with a generated program and prints each result as one line of JSON:
// node calls.js PROGRAM CALLS ENDPOINT
import { readFileSync } from "node:fs";

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { PutCommand } from "@aws-sdk/lib-dynamodb";

interface Call {
  call: string;
  input?: Record<string, unknown>;
  entity?: string;
  values?: Record<string, unknown>;
  keys?: Record<string, unknown>[];
  page?: boolean;
  sorted?: boolean;
  keep?: string[];
}

// Numbers as texts, so that no language rounds them; several entities as [entity, item].
function comparable(value: unknown, keep?: string[]): unknown {
  if (value === undefined) return null;
  if (typeof value === "number") return BigInt(Math.trunc(value)) === BigInt(0) || !Number.isInteger(value) ? String(value) : BigInt(value).toString();
  if (Array.isArray(value)) return value.map((one) => comparable(one, keep));
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value);
  if (members.length === 2 && "entity" in value && "item" in value) return [value.entity, comparable(value.item, keep)];
  return Object.fromEntries(members.filter(([name]) => !keep || keep.includes(name)).map(([name, one]) => [name, comparable(one)]));
}

// The name of a pattern's function: no letter but those of identifiers, words joined by capitals.
function functionOf(program: any, name: string): (...all: unknown[]) => any {
  const camel = name.replace(/[^A-Za-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());
  return program[camel] ?? program[camel + "_"];
}

async function resultOf(program: any, db: any, call: Call): Promise<unknown> {
  if (call.entity !== undefined) {
    const make = program[call.entity[0].toLowerCase() + call.entity.slice(1) + "ToItem"];
    await db.client.send(new PutCommand({ TableName: db.table, Item: make(call.values) }));
    return undefined;
  }
  const run = functionOf(program, call.call);
  const result = await (call.keys ? run(db, call.keys) : run(db, call.input));
  if (call.page) return result.items;
  if (result?.[Symbol.asyncIterator] === undefined) return result;
  const all: unknown[] = [];
  for await (const one of result) all.push(one);
  return all;
}

const [path, calls, endpoint] = process.argv.slice(2);
const program = await import(path);
const client = new DynamoDBClient({ endpoint, region: "us-east-1", credentials: { accessKeyId: "typescript", secretAccessKey: "secret" } });
const table = program.TABLE_NAME + "-typescript";
await program.createTable(client, table);
const db = program.connect(client, table);
for (const call of JSON.parse(readFileSync(calls, "utf8")) as Call[]) {
  try {
    const result = comparable(await resultOf(program, db, call), call.keep);
    if (call.sorted) (result as unknown[]).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    console.log(JSON.stringify({ result }));
  } catch (error) {
    console.log(JSON.stringify({ error: (error as Error).name, message: (error as Error).message }));
  }
}
