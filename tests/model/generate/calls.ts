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
  page?: boolean; // the result is the items of the first page
  pages?: boolean; // the result is a list of items for each page
  cursor?: string; // the cursor of the first page
  cursorOf?: string; // the pattern whose first cursor is the cursor of the first page
  sorted?: boolean;
  keep?: string[];
}

// Numbers as texts, so that no language rounds them; several entities as [entity, item].
function comparable(value: unknown, keep?: string[]): unknown {
  if (value === undefined) return null;
  if (typeof value === "number") return BigInt(Math.trunc(value)) === BigInt(0) || !Number.isInteger(value) ? String(value) : BigInt(value).toString();
  if (value instanceof Set) return [...value].map((one) => comparable(one)).sort();
  if (Array.isArray(value)) return value.map((one) => comparable(one, keep));
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value);
  if (members.length === 2 && "entity" in value && "item" in value) return [value.entity, comparable(value.item, keep)];
  return Object.fromEntries(members.filter(([name]) => !keep || keep.includes(name)).map(([name, one]) => [name, comparable(one)]));
}

// Bytes are written as {"$bytes": "base64"}, sets as {"$set": [elements]}.
function withBytes(value: any): any {
  if (Array.isArray(value)) return value.map(withBytes);
  if (value === null || typeof value !== "object") return value;
  if ("$set" in value) return new Set(withBytes(value.$set));
  if ("$bytes" in value) return Uint8Array.from(Buffer.from(value.$bytes, "base64"));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withBytes(one)]));
}

const cursors: Record<string, string> = {};

// Reads pages. Their cursors go through JSON, as they would between a client and a web server, and need no escapes in a URL.
async function pagesOf(read: (cursor?: string) => Promise<any>, call: Call): Promise<unknown> {
  const pages: unknown[] = [];
  let cursor = call.cursorOf === undefined ? call.cursor : cursors[call.cursorOf];
  do {
    const page = await read(cursor);
    pages.push(page.items);
    cursor = JSON.parse(JSON.stringify(page)).next;
    if (cursor !== undefined && encodeURIComponent(cursor) !== cursor) throw new Error(`no text for a URL: ${cursor}`);
    if (cursor !== undefined) cursors[call.call] ??= cursor;
  } while (call.pages && cursor !== undefined);
  return call.pages ? pages : pages[0];
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
  const input = Object.keys(call.input ?? {}).length > 0 ? [withBytes(call.input)] : [];
  if (call.page || call.pages) return pagesOf((cursor) => run(db, ...input, cursor), call);
  const result = await (call.keys ? run(db, call.keys) : run(db, ...input));
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
