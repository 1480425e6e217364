// Makes the recorded calls of models with their generated programs, and prints each result as one line of JSON:
// node replay.js FOLDER ENDPOINT NAME…
//
// FOLDER has js/NAME.js and NAME.calls.json for each model. The clock stands at the time that the calls were recorded for, except
// for signatures.
import { readFileSync } from "node:fs";

import { BatchWriteItemCommand, DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";

interface Call {
  pattern: string;
  input: Record<string, unknown>;
  elements: { entity: string; inputs: Record<string, unknown>[] }[];
  limit?: number;
  after?: { key: any }[];
}
type Answer = Record<string, unknown>;

const BATCH = 25; // items of a BatchWriteItem

// Converts a recorded input to what a caller gives.
function given(value: any): unknown {
  return typeof value === "object" ? unmarshall({ value: value.value }).value : value;
}

function givenAll(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, one]) => [name, given(one)]));
}

function decimalText(text: string): string {
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)!;
  const point = whole.length + Number(exponent);
  const digits = (whole + fraction).padEnd(point, "0").padStart(whole.length + fraction.length - Math.min(point, 0), "0");
  const at = Math.max(point, 0);
  const before = digits.slice(0, at).replace(/^0+(?=\d)/, "") || "0";
  const after = digits.slice(at).replace(/0+$/, "");
  return sign + before + (after ? "." + after : "");
}

// Numbers as texts, so that no language rounds them, and what JSON lacks as objects.
function comparable(value: any): unknown {
  if (typeof value === "number" || typeof value === "bigint") return decimalText(String(value));
  if (value === null || typeof value !== "object") return value;
  if (value.constructor.name.startsWith("NumberValue")) return decimalText(String(value.value));
  if (value instanceof Uint8Array) return { binary: Buffer.from(value).toString("base64") };
  if (value instanceof Set) {
    const texts = [...value].map((one) => JSON.stringify(comparable(one))).sort();
    return { set: texts.map((one) => JSON.parse(one)) };
  }
  if (Array.isArray(value)) return value.map(comparable);
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(members.map(([name, one]) => [name, comparable(one)]));
}

// The name of a function or a list: words joined by capitals, and _ after a word that is taken.
function camel(name: string): string {
  const joined = name.replace(/[^A-Za-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());
  return joined[0].toLowerCase() + joined.slice(1);
}

async function allOf(result: any, again: (key: unknown) => any, limit: number): Promise<any[]> {
  if (result === undefined || result === null) return [];
  if (result[Symbol.asyncIterator] !== undefined) {
    const all: unknown[] = [];
    for await (const one of result) all.push(one);
    return all;
  }
  if (Array.isArray(result)) return result.filter((one) => one !== undefined);
  if (!Array.isArray(result.items) || !("next" in result)) return [result];
  let items: unknown[] = result.items;
  for (let page = result; page.next !== undefined && items.length < limit; items = [...items, ...page.items]) {
    page = await again(page.next);
  }
  return items.slice(0, limit);
}

async function outcomeOf(program: any, db: any, client: DynamoDBClient, call: Call): Promise<Answer> {
  const run = program[call.pattern] ?? program[camel(call.pattern)] ?? program[camel(call.pattern) + "_"];
  let input: any = givenAll(call.input);
  for (const element of call.elements) {
    const list = element.inputs.map(givenAll);
    if (call.after === undefined) input = list;
    else input[camel(element.entity) + "s"] = list;
  }
  const inputs = /^[^)]*\binput\b/.test(String(run)) ? [input] : [];
  const result = await run(db, ...inputs);
  if (call.after !== undefined) {
    const after: unknown[] = [];
    for (const { key } of call.after) {
      after.push((await client.send(new GetItemCommand({ TableName: db.table, Key: key, ConsistentRead: true }))).Item ?? null);
    }
    return { after };
  }
  const found = await allOf(result, (key) => run(db, ...inputs, key), call.limit ?? Infinity);
  return { result: found.map((one) => ("entity" in one && "item" in one ? [one.entity, comparable(one.item)] : [null, comparable(one)])) };
}

function stopClock(now: number): void {
  const Running = Date;
  globalThis.Date = class extends Running {
    constructor(...parts: any[]) {
      super(...((parts.length === 0 ? [now] : parts) as [number]));
    }
    static now(): number {
      return now;
    }
  } as DateConstructor;
}

async function replay(folder: string, name: string, client: DynamoDBClient, record: any): Promise<void> {
  const program = await import(`${folder}/js/${name}.js`);
  const table = `${name}-typescript`;
  await program.createTable(client, table);
  const db = program.connect(client, table);
  const puts = record.items.map((Item: any) => ({ PutRequest: { Item } }));
  for (let at = 0; at < puts.length; at += BATCH) {
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: puts.slice(at, at + BATCH) } }));
  }
  for (const [i, call] of record.calls.entries()) {
    let outcome: Answer;
    try {
      outcome = await outcomeOf(program, db, client, call);
    } catch (error) {
      outcome = { error: (error as Error).name, message: (error as Error).message };
    }
    console.log(JSON.stringify({ model: name, call: i, ...outcome }));
  }
}

const [folder, endpoint, ...names] = process.argv.slice(2);
const records = names.map((name) => JSON.parse(readFileSync(`${folder}/${name}.calls.json`, "utf8")));
const systemClockOffset = Date.now() - records[0].now;
stopClock(records[0].now);
const client = new DynamoDBClient({
  endpoint,
  region: "us-east-1",
  credentials: { accessKeyId: "typescript", secretAccessKey: "secret" },
  systemClockOffset,
});
for (const [i, name] of names.entries()) await replay(folder, name, client, records[i]);
