// The runtime of generated TypeScript. A program has everything below `@top`, and of the snippets only those that it uses
// (model/generate/runtime.h). The lines above `@top` stand for what the program itself declares.
import {
  BatchGetCommand,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DynamoDBDocumentClient,
  NumberValue,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
} from "@aws-sdk/lib-dynamodb";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

declare const TABLE_NAME: string;
declare const TABLE_KEY: string[];
declare const TYPE_ATTRIBUTE: string;
declare const SEPARATOR: string;

// @top
/** An item in the document client's form. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Item = Record<string, any>;

/** A table on an endpoint. Numbers are not rounded, so that decimals keep all their digits. */
export interface Db {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
}

/** The table for the functions of this file. `client` is the application's own, with its region and retry settings. */
export function connect(client: DynamoDBClient, table: string = TABLE_NAME): Db {
  const options = { marshallOptions: { removeUndefinedValues: true }, unmarshallOptions: { wrapNumbers: true } };
  return { client: DynamoDBDocumentClient.from(client, options), table };
}

// @snippet Page
/**
 * One page of results. Pass `next` as the cursor to read the next page; it is undefined on the last one. It is text that
 * can be stored, sent as JSON or put into a URL.
 */
export interface Page<T> {
  items: T[];
  next: string | undefined;
}

// @snippet InvalidCursor
/** A cursor is malformed, or was returned by another pattern. */
export class InvalidCursor extends Error {
  constructor(message: string = "the cursor is malformed") {
    super(message);
    this.name = "InvalidCursor";
  }
}

// @snippet cursorOf
/** Text for where a read goes on: base64url of the format's version, the pattern and `state` as JSON. */
function cursorOf(pattern: string, ...state: unknown[]): string {
  const escape = (one: string) => "\\u" + one.charCodeAt(0).toString(16).padStart(4, "0");
  const ascii = JSON.stringify([1, pattern, ...state]).replace(/[\u0080-\uffff]/g, escape);
  return btoa(ascii).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

// @snippet stateOf
/** Returns what cursorOf was given for the state. */
function stateOf(pattern: string, cursor: string): unknown[] {
  let state: unknown;
  try {
    state = /^[-_A-Za-z0-9]+$/.test(cursor) && JSON.parse(atob(cursor.replace(/-/g, "+").replace(/_/g, "/")));
  } catch {
    throw new InvalidCursor();
  }
  if (!Array.isArray(state) || state.length < 3 || state[0] !== 1) throw new InvalidCursor();
  if (state[1] !== pattern) throw new InvalidCursor(`the cursor is of ${JSON.stringify(state[1])}, not of ${pattern}`);
  return state.slice(2);
}

// @snippet KeyTypes
/** The attributes of a key, each with its type in the API. */
type KeyTypes = Record<string, "S" | "N" | "B">;

// @snippet keyText
/** The key of an item or page in the API's JSON, with all digits of its numbers. */
function keyText(types: KeyTypes, key: Item): Item {
  const written = (one: unknown) => (one instanceof Uint8Array ? btoa(String.fromCharCode(...one)) : String(one));
  return Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { [type]: written(key[name]) }]));
}

// @snippet keyOf
/** The key that keyText was given. */
function keyOf(types: KeyTypes, text: unknown): Item {
  if (typeof text !== "object" || text === null) throw new InvalidCursor();
  if (Object.keys(text).length !== Object.keys(types).length) throw new InvalidCursor();
  const value = ([name, type]: [string, string]) => {
    const found = (text as Item)[name]?.[type];
    if (typeof found !== "string") throw new InvalidCursor();
    if (type === "S") return [name, found];
    if (type === "N" && /^[-+.0-9eE]{1,64}$/.test(found)) return [name, NumberValue.from(found)];
    if (type === "B" && /^[+/A-Za-z0-9]+=*$/.test(found)) {
      return [name, Uint8Array.from(atob(found), (one) => one.charCodeAt(0))];
    }
    throw new InvalidCursor();
  };
  return Object.fromEntries(Object.entries(types).map(value));
}

// @snippet startOf
/** The key after which a request starts at the cursor. */
function startOf(pattern: string, types: KeyTypes, cursor: string | undefined): Item | undefined {
  if (cursor === undefined) return undefined;
  const [part, keys] = stateOf(pattern, cursor);
  if (part !== "" || !Array.isArray(keys) || keys.length !== 1) throw new InvalidCursor();
  return keyOf(types, keys[0]);
}

// @snippet nextOf
/** The cursor after a page that one request read. */
function nextOf(pattern: string, types: KeyTypes, key: Item | undefined): string | undefined {
  return key && cursorOf(pattern, "", [keyText(types, key)]);
}

// @snippet Position
/** Where one of several queries goes on: 0 at its start, 1 if it is read to its end, otherwise after that key. */
type Position = Item | 0 | 1;

// @snippet Part
/** One of several queries, with a name that identifies it among them. */
interface Part {
  name: string;
  query: QueryCommandInput;
}

// @snippet positionsOf
/**
 * Where each of several queries goes on. The cursor has the name of the first query that is not read to its end, and the
 * positions from there on.
 */
function positionsOf(pattern: string, types: KeyTypes, cursor: string | undefined, parts: Part[]): Position[] {
  if (cursor === undefined) return parts.map(() => 0);
  const [name, given] = stateOf(pattern, cursor);
  if (!Array.isArray(given)) throw new InvalidCursor();
  const first = parts.findIndex((one) => one.name === name);
  if (first < 0 || first + given.length > parts.length) {
    throw new InvalidCursor("the cursor is of a read with other inputs");
  }
  return parts.map((_, i) => {
    const position: unknown = i < first ? 1 : i < first + given.length ? given[i - first] : 0;
    return position === 0 || position === 1 ? position : keyOf(types, position);
  });
}

// @snippet nextAfter
/** The cursor for the positions after a page was read. */
function nextAfter(pattern: string, types: KeyTypes, parts: Part[], positions: Position[]): string | undefined {
  const first = positions.findIndex((one) => one !== 1);
  if (first < 0) return undefined;
  let end = positions.length;
  while (end > first + 1 && positions[end - 1] === 0) end--;
  const texts = positions.slice(first, end).map((one) => (typeof one === "number" ? one : keyText(types, one)));
  return cursorOf(pattern, parts[first].name, texts);
}

// @snippet Stream
/** A page of one of several queries: its items that are not taken yet, and where the query goes on after them. */
interface Stream<T> {
  place: number;
  items: { key: Item; item: T }[];
  end: Position;
}

// @snippet pageOf
/**
 * Reads a page of several queries. Groups are read in turn, and the items of a group are merged by `order`. Each query is
 * read once, so a page can have fewer items than the limit, or none, and still have a next one.
 */
async function pageOf<T>(
  db: Db,
  pattern: string,
  types: KeyTypes,
  cursor: string | undefined,
  limit: number,
  groups: Part[][],
  keep: (item: Item) => T | undefined,
  order: (a: T, b: T) => number = () => 0,
): Promise<Page<T>> {
  const parts = groups.flat();
  const positions = positionsOf(pattern, types, cursor, parts);
  const items: T[] = [];
  for (const group of groups) {
    if (items.length === limit) break;
    const unread = group.map((part) => parts.indexOf(part)).filter((place) => positions[place] !== 1);
    const streams = await Promise.all(
      unread.map((place) => streamOf(db, types, parts[place], place, positions[place], limit - items.length, keep)),
    );
    for (const one of streams) if (one.items.length === 0) positions[one.place] = one.end;
    // A query that goes on after a page that is used up may have the next item, so no other query gives it.
    while (items.length < limit && streams.every((one) => one.items.length > 0 || one.end === 1)) {
      const heads = streams.filter((one) => one.items.length > 0);
      if (heads.length === 0) break;
      const head = heads.reduce((a, b) => (order(b.items[0].item, a.items[0].item) < 0 ? b : a));
      const { key, item } = head.items.splice(0, 1)[0];
      items.push(item);
      positions[head.place] = head.items.length > 0 ? key : head.end;
    }
    if (unread.some((place) => positions[place] !== 1)) break;
  }
  return { items, next: nextAfter(pattern, types, parts, positions) };
}

// @snippet streamOf
/** Reads a page of one of several queries. */
async function streamOf<T>(
  db: Db,
  types: KeyTypes,
  part: Part,
  place: number,
  position: Position,
  limit: number,
  keep: (item: Item) => T | undefined,
): Promise<Stream<T>> {
  const start = typeof position === "number" ? undefined : position;
  const page = await db.client.send(new QueryCommand({ ...part.query, Limit: limit, ExclusiveStartKey: start }));
  const items = (page.Items ?? []).flatMap((found) => {
    const item = keep(found);
    const key = Object.fromEntries(Object.keys(types).map((name) => [name, found[name]]));
    return item === undefined ? [] : [{ key, item }];
  });
  return { place, items, end: page.LastEvaluatedKey ?? 1 };
}

// @snippet pageOfAll
/** A page of results that are read as a whole, because only then can they be sorted. */
async function pageOfAll<T>(
  pattern: string,
  cursor: string | undefined,
  limit: number,
  results: AsyncGenerator<T>,
): Promise<Page<T>> {
  const at = cursor === undefined ? 0 : stateOf(pattern, cursor)[0];
  if (typeof at !== "number" || !Number.isInteger(at) || at < 0) throw new InvalidCursor();
  const all: T[] = [];
  for await (const one of results) all.push(one);
  const end = at + limit;
  return { items: all.slice(at, end), next: end < all.length ? cursorOf(pattern, end) : undefined };
}

// @snippet ConditionFailed
/** A condition of a write failed, and nothing was written. */
export class ConditionFailed extends Error {
  /** The writes that failed: the entity, and the position among the call's writes of that entity, from 0. */
  readonly failed: { entity: string; index: number }[];
  /** The SDK's error. */
  readonly reason: unknown;

  constructor(failed: { entity: string; index: number }[], reason: unknown) {
    super(`a condition failed: ${failed.map(({ entity, index }) => `${entity} ${index}`).join(", ")}`);
    this.name = "ConditionFailed";
    this.failed = failed;
    this.reason = reason;
  }
}

// @snippet conditional
/** Awaits a write with conditions. `entities` are the entities of its writes, in order. */
async function conditional<T>(entities: string[], write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const { name, CancellationReasons: reasons = [] } = error as Error & { CancellationReasons?: { Code?: string }[] };
    const failed = entities.flatMap((entity, i) => {
      const refused = name === "ConditionalCheckFailedException" || reasons[i]?.Code === "ConditionalCheckFailed";
      return refused ? [{ entity, index: entities.slice(0, i).filter((one) => one === entity).length }] : [];
    });
    throw failed.length > 0 ? new ConditionFailed(failed, error) : error;
  }
}

// @snippet Shape
/** How an entity's items are recognized and read: attribute types, and keys from which attributes are recovered. */
interface Shape {
  name: string;
  attributes: Record<string, ValueShape>;
  defaults: Item;
  /** Key attribute, its pattern, and the attribute that each group recovers ("" if it recovers none). */
  keys: [string, RegExp, string[]][];
}

// @snippet AttributeType
type AttributeType =
  | "string"
  | "number"
  | "decimal"
  | "bool"
  | "binary"
  | "list"
  | "map"
  | "string_set"
  | "number_set"
  | "binary_set"
  | "date"
  | "time_s"
  | "time"
  | "time_us";

// @snippet ValueShape
/** How a value is read and written: its type, or those of a map's fields. */
type ValueShape = AttributeType | { [field: string]: ValueShape };

// @snippet timeLength
/** The characters of a time of the type; 0 for another type. */
function timeLength(type: AttributeType): number {
  return { date: 10, time_s: 20, time: 24, time_us: 27 }[type as string] ?? 0;
}

// @snippet isOf
/** Returns true if the item is of the entity: by the type attribute or, if that is not projected, by its key. */
function isOf(shape: Shape, item: Item): boolean {
  const type = TYPE_ATTRIBUTE === "" ? undefined : item[TYPE_ATTRIBUTE];
  if (type !== undefined) return type === shape.name;
  const keys = shape.keys.filter(([attribute]) => TABLE_KEY.includes(attribute));
  return keys.every(([attribute, texts]) => texts.test(String(item[attribute])));
}

// @snippet read
/** Reads an item's attributes, or those named, from the item itself or from the keys that contain them. */
function read<T>(shape: Shape, item: Item, names: string[] = Object.keys(shape.attributes)): T {
  const recovered: Record<string, string> = {};
  for (const [attribute, texts, groups] of shape.keys) {
    const found = typeof item[attribute] === "string" ? texts.exec(item[attribute]) : null;
    groups.forEach((name, i) => {
      if (found && name !== "" && recovered[name] === undefined) recovered[name] = found[i + 1];
    });
  }
  const out: Item = {};
  for (const name of names) {
    const value = item[name] ?? recovered[name] ?? shape.defaults[name];
    if (value !== undefined) out[name] = plain(value, shape.attributes[name]);
  }
  return out as T;
}

// @snippet plain
/** Converts a value to the type that the entity has. */
function plain(value: unknown, shape: ValueShape | undefined): unknown {
  if (typeof shape === "object") return fieldsOf(value, (one, name) => plain(one, shape[name]));
  if (shape === "number") return Number(digitsOf(value));
  if (shape === "decimal") return numberText(digitsOf(value));
  if (shape !== undefined && timeLength(shape) > 0) return startOfTime(String(value), timeLength(shape));
  if (value instanceof NumberValue) return Number(value.toString());
  if (value instanceof Set) return new Set([...value].map((one) => plain(one, undefined)));
  if (Array.isArray(value)) return value.map((one) => plain(one, undefined));
  if (shape !== "map" && (typeof value !== "object" || value === null || value.constructor !== Object)) return value;
  return fieldsOf(value, (one) => plain(one, undefined));
}

// @snippet stored
/** Converts a value of a map with declared fields to the form in which items store it. */
function stored(value: unknown, shape: ValueShape | undefined): unknown {
  if (value === undefined || value === null || (value instanceof Set && value.size === 0)) return undefined;
  if (typeof shape === "object") return fieldsOf(value, (one, name) => stored(one, shape[name]));
  if (shape === "decimal") return NumberValue.from(value as string);
  return shape !== undefined && timeLength(shape) > 0 ? time(value as Time, timeLength(shape)) : value;
}

// @snippet fieldsOf
function fieldsOf(map: unknown, convert: (value: unknown, name: string) => unknown): Item {
  return Object.fromEntries(Object.entries(map as Item).map(([name, one]) => [name, convert(one, name)]));
}

// @snippet digitsOf
function digitsOf(value: unknown): string {
  return value instanceof NumberValue ? value.toString() : String(value);
}

// @snippet Time
/** A point in time: a Date, or its text in UTC, 2024-01-15T10:30:00Z, with up to six decimals; or a date, 2024-01-15. */
export type Time = string | Date;

// @snippet time
/** The time as items store it, always of the same length, so that text order is time order. */
function time(value: Time, length: number): string {
  const whole = startOfTime(value, length);
  if (whole.length !== length || !/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?$/.test(whole)) {
    throw new RangeError(`${whole} is not a time in UTC`);
  }
  return whole;
}

// @snippet startOfTime
/** The same, but also accepts the start of a time, such as 2024-01, which stays as it is. */
function startOfTime(value: Time, length: number): string {
  const given = typeof value === "string" ? value : value.toISOString();
  if (length < 20) return given.slice(0, length);
  if (!/^.{19}(\.\d+)?Z$/.test(given)) return given;
  const decimals = given.slice(20, -1).padEnd(6, "0").slice(0, Math.max(length - 21, 0));
  return given.slice(0, 19) + (length > 20 ? "." + decimals : "") + "Z";
}

// @snippet nowTime
function nowTime(length: number): string {
  return startOfTime(new Date(), length);
}

// @snippet nowSeconds
function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

// @snippet nowMillis
function nowMillis(): number {
  return Date.now();
}

// @snippet lessOne
/** The text with one less in its last character: a text before all texts that begin with the given one. */
function lessOne(whole: string): string {
  return whole.slice(0, -1) + String.fromCharCode(whole.charCodeAt(whole.length - 1) - 1);
}

// @snippet isEmptyRange
/** Returns true if the lower bound is above the upper one. DynamoDB refuses such a request. */
function isEmptyRange(low: unknown, high: unknown): boolean {
  if (typeof low === "string" && typeof high === "string") return compare(low, high) > 0;
  return Number(digitsOf(low)) > Number(digitsOf(high));
}

// @snippet text
/** A value as part of a key. An empty value or one with the separator in it could form another entity's key. */
function text(name: string, value: string): string {
  if (typeof value !== "string" || value === "" || (SEPARATOR !== "" && value.includes(SEPARATOR))) {
    throw new RangeError(`${name} cannot be part of a key: ${JSON.stringify(value)}`);
  }
  return value;
}

// @snippet lower
/** Lowercases ASCII letters only, like the model's keys. */
function lower(value: string): string {
  return value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

// @snippet upper
/** Uppercases ASCII letters only, like the model's keys. */
function upper(value: string): string {
  return value.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

// @snippet boolText
function boolText(value: boolean): string {
  return value ? "true" : "false";
}

// @snippet pad
/** A natural number with leading zeros, so that text order is number order. */
function pad(name: string, value: number | string, width: number): string {
  const digits = numberText(value);
  if (!/^[0-9]+$/.test(digits) || digits.length > width) {
    throw new RangeError(`${name} must be a natural number of at most ${width} digits: ${value}`);
  }
  return digits.padStart(width, "0");
}

// @snippet numberText
/** A number as DynamoDB prints it: no exponent, no unnecessary zeros. */
function numberText(value: number | string): string {
  const parts = /^([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?$/.exec(String(value));
  if (parts === null || parts[2] + parts[3] === "") throw new RangeError(`${value} is not a number`);
  const point = parts[2].length + Number(parts[4] ?? 0);
  let digits = (parts[2] + parts[3]).padEnd(point, "0");
  if (point < 0) digits = "0".repeat(-point) + digits;
  const whole = digits.slice(0, Math.max(point, 0)).replace(/^0+(?=.)/, "") || "0";
  const fraction = digits.slice(Math.max(point, 0)).replace(/0+$/, "");
  const plainText = fraction === "" ? whole : `${whole}.${fraction}`;
  return parts[1] === "-" && plainText !== "0" ? "-" + plainText : plainText;
}

// @snippet shardOf
/** FNV-1a, 32 bits, over the UTF-8 bytes of a text, modulo the number of shards. */
function shardOf(value: string, shards: number): string {
  let hash = 2166136261;
  for (const [byte] of encodeURIComponent(value).matchAll(/%..|./g)) {
    const code = byte.length === 3 ? parseInt(byte.slice(1), 16) : byte.charCodeAt(0);
    hash = Math.imul(hash ^ code, 16777619) >>> 0;
  }
  return String(hash % shards);
}

// @snippet randomShard
function randomShard(shards: number): string {
  return String(Math.floor(Math.random() * shards));
}

// @snippet required
function required<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new TypeError(`${name} is missing`);
  return value;
}

// @snippet holds
/** One comparison of a model's condition. For a missing value only <> is true, as in DynamoDB. */
function holds(left: unknown, sign: string, right: string | number | boolean): boolean {
  if (left === undefined || left === null) return sign === "<>";
  const value = left instanceof Date ? left.toISOString() : left;
  if (sign === "begins_with") return String(value).startsWith(String(right));
  const order =
    typeof right === "number" ? Math.sign(Number(digitsOf(value)) - right) : compare(String(value), String(right));
  if (sign === "=") return order === 0;
  if (sign === "<>") return order !== 0;
  if (sign === "<") return order < 0;
  if (sign === "<=") return order <= 0;
  return sign === ">" ? order > 0 : order >= 0;
}

// @snippet sizeOf
/** The size of a value as DynamoDB counts it: bytes of a text, elements of a set, list or map. */
function sizeOf(value: unknown): number | undefined {
  if (typeof value === "string") return encodeURIComponent(value).replace(/%../g, "_").length;
  if (value instanceof Set) return value.size;
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : undefined;
}

// @snippet containsPart
/** Returns true if a text has the part, or a set or list the element. */
function containsPart(value: unknown, part: string | number | boolean): boolean {
  if (typeof value === "string") return value.includes(String(part));
  if (!(value instanceof Set) && !Array.isArray(value)) return false;
  return [...value].some((one) => holds(one, "=", part));
}

// @snippet below
/** A value inside a list or map; undefined if it does not exist. */
function below(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((at, step) => (at as Item | undefined)?.[step], value);
}

// @snippet compare
/** Compares strings as DynamoDB does: by their UTF-8 bytes, which is by code point. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === "number" || typeof b === "number") return Math.sign(Number(a) - Number(b));
  const left = Array.from(a);
  const right = Array.from(b);
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = (left[i].codePointAt(0) ?? 0) - (right[i].codePointAt(0) ?? 0);
    if (order !== 0) return Math.sign(order);
  }
  return Math.sign(left.length - right.length);
}

// @snippet expires
/** Returns true if the item has expired. DynamoDB deletes expired items only some time later. */
function expires(at: unknown): boolean {
  return at !== undefined && Number(at) <= nowSeconds();
}

// @snippet queryAll
/** Yields every item of a query, and reads pages as they are needed. */
async function* queryAll(db: Db, query: QueryCommandInput): AsyncGenerator<Item> {
  let start: Item | undefined;
  do {
    const page = await db.client.send(new QueryCommand({ ...query, ExclusiveStartKey: start }));
    yield* page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

// @snippet scanAll
/** Yields every item of a scan, and reads pages as they are needed. */
async function* scanAll(db: Db, scan: ScanCommandInput): AsyncGenerator<Item> {
  let start: Item | undefined;
  do {
    const page = await db.client.send(new ScanCommand({ ...scan, ExclusiveStartKey: start }));
    yield* page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

// @snippet range
function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

// @snippet buckets
/** The years, months, days or hours (4, 7, 10 or 13 characters) from one time to another, inclusive. */
function buckets(length: number, from: Time, to: Time): string[] {
  const last = startOfTime(to, length);
  const at = new Date(startOfTime(from, length) + "-01-01T00:00:00.000Z".slice(Math.max(length - 4, 0)));
  if (Number.isNaN(at.getTime()) || last.length < length) throw new RangeError(`${from} to ${to} is not a time range`);
  const all: string[] = [];
  for (let one = at.toISOString().slice(0, length); one <= last; one = at.toISOString().slice(0, length)) {
    if (all.push(one) > 1000) throw new RangeError(`${from} to ${to} spans more than 1000 partitions`);
    if (length === 4) at.setUTCFullYear(at.getUTCFullYear() + 1);
    if (length === 7) at.setUTCMonth(at.getUTCMonth() + 1);
    if (length === 10) at.setUTCDate(at.getUTCDate() + 1);
    if (length === 13) at.setUTCHours(at.getUTCHours() + 1);
  }
  return all;
}

// @snippet orderOf
/** Compares by several values, the first one first. */
function orderOf<T>(keys: (one: T) => (string | number)[], descending: boolean): (a: T, b: T) => number {
  return (a, b) => {
    const left = keys(a);
    const right = keys(b);
    const order = left.map((value, i) => compare(value, right[i])).find((one) => one !== 0) ?? 0;
    return descending ? -order : order;
  };
}

// @snippet merged
/** Merges streams that are each in order. Their first pages are read at the same time. */
async function* merged<T>(streams: AsyncGenerator<T>[], order: (a: T, b: T) => number): AsyncGenerator<T> {
  const heads = await Promise.all(streams.map((stream) => stream.next()));
  for (;;) {
    let least = -1;
    heads.forEach((head, i) => {
      if (!head.done && (least < 0 || order(head.value, heads[least].value as T) < 0)) least = i;
    });
    if (least < 0) return;
    yield heads[least].value as T;
    heads[least] = await streams[least].next();
  }
}

// @snippet collected
/** Reads streams to their ends and sorts all items. */
async function* collected<T>(streams: AsyncGenerator<T>[], order: (a: T, b: T) => number): AsyncGenerator<T> {
  const all: T[] = [];
  await Promise.all(
    streams.map(async (stream) => {
      for await (const one of stream) all.push(one);
    }),
  );
  yield* all.sort(order);
}

// @snippet inTurn
/** Concatenates streams. */
async function* inTurn<T>(streams: AsyncGenerator<T>[]): AsyncGenerator<T> {
  for (const stream of streams) yield* stream;
}

// @snippet GuardedUpdate
/** An update whose clauses depend on what its caller gives. */
interface GuardedUpdate {
  SET?: (string | false)[];
  REMOVE?: (string | false)[];
  ADD?: (string | false)[];
  DELETE?: (string | false)[];
  condition?: string;
  names: Record<string, string>;
  values: Item;
  /** The optional inputs, if there are no others. */
  oneOf?: unknown[];
  /** An update without clauses is refused even if it has a condition, as in a transaction. */
  always?: boolean;
}

// @snippet updateOf
/** An update and its condition, with only the names and values that they use: DynamoDB refuses unused ones. */
function updateOf(update: GuardedUpdate) {
  const { condition, names, values, oneOf = [0] } = update;
  const clauses = (["SET", "REMOVE", "ADD", "DELETE"] as const).flatMap((word) => {
    const some = (update[word] ?? []).filter((one) => one !== false);
    return some.length === 0 ? [] : [`${word} ${some.join(", ")}`];
  });
  const nothing = clauses.length === 0 || oneOf.every((one) => one === undefined);
  if (nothing && (condition === undefined || update.always)) {
    throw new TypeError("the update changes nothing: give at least one of its optional inputs");
  }
  const used = new Set(`${clauses.join(" ")} ${condition ?? ""}`.match(/[#:][A-Za-z0-9_]+/g));
  const kept = <T>(all: Record<string, T>) => {
    const some = Object.entries(all).filter(([name]) => used.has(name));
    return some.length === 0 ? undefined : Object.fromEntries(some);
  };
  return {
    UpdateExpression: clauses.length === 0 ? undefined : clauses.join(" "),
    ConditionExpression: condition,
    ExpressionAttributeNames: kept(names),
    ExpressionAttributeValues: kept(values),
  };
}

// @snippet batchGet
/**
 * Gets the items that exist, in any order: 100 keys per request, retrying those that DynamoDB did not process. A key that
 * is given twice is read once, because DynamoDB refuses a request with duplicates.
 */
async function batchGet(db: Db, keys: Item[], consistent: boolean): Promise<Item[]> {
  const written = (one: unknown) => (one instanceof Uint8Array ? `B${one.join()}` : typeof one + String(one));
  const idOf = (key: Item) => JSON.stringify(Object.values(key).map(written));
  const once = [...new Map(keys.map((key) => [idOf(key), key])).values()];
  const items: Item[] = [];
  for (let at = 0; at < once.length; at += 100) {
    let rest: Item[] = once.slice(at, at + 100);
    for (let attempt = 0; rest.length > 0; attempt++) {
      if (attempt > 0) await pause(attempt, rest.length);
      const RequestItems = { [db.table]: { Keys: rest, ConsistentRead: consistent } };
      const answer = await db.client.send(new BatchGetCommand({ RequestItems }));
      items.push(...(answer.Responses?.[db.table] ?? []));
      rest = answer.UnprocessedKeys?.[db.table]?.Keys ?? [];
    }
  }
  return items;
}

// @snippet batchWrite
/** Runs puts and deletes: 25 per request, retrying those that DynamoDB did not process. */
async function batchWrite(db: Db, writes: BatchWriteRequest[]): Promise<void> {
  for (let at = 0; at < writes.length; at += 25) {
    let rest = writes.slice(at, at + 25);
    for (let attempt = 0; rest.length > 0; attempt++) {
      if (attempt > 0) await pause(attempt, rest.length);
      const answer = await db.client.send(new BatchWriteCommand({ RequestItems: { [db.table]: rest } }));
      rest = answer.UnprocessedItems?.[db.table] ?? [];
    }
  }
}

// @snippet BatchWriteRequest
type BatchWriteRequest = NonNullable<BatchWriteCommandInput["RequestItems"]>[string][number];

// @snippet pause
/** Waits before a retry: exponential backoff with full jitter, at most ten attempts. */
async function pause(attempt: number, left: number): Promise<void> {
  if (attempt > 10) throw new Error(`DynamoDB left ${left} requests of a batch unprocessed after ten attempts`);
  await new Promise((resume) => setTimeout(resume, Math.min(50 * 2 ** attempt, 5000) * Math.random()));
}
