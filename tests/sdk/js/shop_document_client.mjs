// A shop in one table, written as applications write it: document client, paginators, waiters, optimistic locking, counters.
import {
  DynamoDBClient, CreateTableCommand, DeleteTableCommand, DescribeTableCommand, waitUntilTableExists, waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient, PutCommand, GetCommand, UpdateCommand, DeleteCommand, QueryCommand, BatchWriteCommand, BatchGetCommand,
  paginateQuery, paginateScan,
} from '@aws-sdk/lib-dynamodb';
import { assert, check, clientConfig, failure, finish, unique } from './tap.mjs';

const client = new DynamoDBClient(clientConfig);
const db = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
const TableName = unique('shop');

const order = (customer, day, total, status) => ({
  pk: `CUSTOMER#${customer}`, sk: `ORDER#${day}`, type: 'order', total, status,
  gsi1pk: `STATUS#${status}`, gsi1sk: day, lines: [{ sku: 'A-1', quantity: 2 }, { sku: 'B-2', quantity: 1 }],
});

async function collect(pages, take) {
  const all = [];
  let count = 0;
  for await (const page of pages) {
    count += 1;
    all.push(...take(page));
  }
  return { all, count };
}

async function writeAll(requests) {
  let rest = { [TableName]: requests };
  for (let round = 0; Object.keys(rest).length > 0; round += 1) {
    assert.ok(round < 10, 'UnprocessedItems never became empty');
    rest = (await db.send(new BatchWriteCommand({ RequestItems: rest }))).UnprocessedItems ?? {};
  }
}

await check('a table with a global index is created and waited for', async () => {
  const { TableDescription } = await client.send(new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
    GlobalSecondaryIndexes: [{
      IndexName: 'gsi1',
      KeySchema: [{ AttributeName: 'gsi1pk', KeyType: 'HASH' }, { AttributeName: 'gsi1sk', KeyType: 'RANGE' }],
      Projection: { ProjectionType: 'ALL' },
    }],
  }));
  assert.equal(TableDescription.TableName, TableName);
  assert.match(TableDescription.TableArn, /^arn:aws:dynamodb:us-east-1:\d{12}:table\//);
  assert.ok(TableDescription.CreationDateTime instanceof Date);
  const state = await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName });
  assert.equal(state.state, 'SUCCESS');
});

await check('a customer comes back as it was put', async () => {
  const customer = {
    pk: 'CUSTOMER#1', sk: 'PROFILE', type: 'customer', name: 'Zoë 🙂', age: 41, balance: -12.5, vip: true, nothing: null,
    tags: new Set(['gold', 'early']), scores: new Set([1, 2.5]), address: { city: 'Bern', lines: ['a', '', 'b'] }, empty: '',
    photo: new Uint8Array([0, 255, 1, 254]),
  };
  await db.send(new PutCommand({ TableName, Item: customer }));
  const { Item } = await db.send(new GetCommand({ TableName, Key: { pk: 'CUSTOMER#1', sk: 'PROFILE' }, ConsistentRead: true }));
  assert.deepEqual([...Item.photo], [0, 255, 1, 254]);
  assert.deepEqual({ ...Item, photo: null }, { ...customer, photo: null });
});

await check('an absent item has no Item member', async () => {
  const answer = await db.send(new GetCommand({ TableName, Key: { pk: 'nobody', sk: 'x' } }));
  assert.equal('Item' in answer && answer.Item !== undefined, false);
});

await check('sixty orders are written in batches', async () => {
  const puts = [];
  for (let i = 0; i < 60; i += 1) {
    const day = `2026-01-${String(i).padStart(3, '0')}`;
    puts.push({ PutRequest: { Item: order('1', day, i * 10, i % 3 === 0 ? 'OPEN' : 'SENT') } });
  }
  for (let at = 0; at < puts.length; at += 25) await writeAll(puts.slice(at, at + 25));
});

const orders = {
  TableName,
  KeyConditionExpression: 'pk = :c AND begins_with(sk, :o)',
  ExpressionAttributeValues: { ':c': 'CUSTOMER#1', ':o': 'ORDER#' },
};

await check('the query paginator visits each order once, in order', async () => {
  const { all, count } = await collect(paginateQuery({ client: db, pageSize: 7 }, { ...orders }), (page) => page.Items);
  assert.equal(all.length, 60);
  assert.ok(count >= 9, `${count} pages`);
  assert.deepEqual(all.map((item) => item.total), Array.from({ length: 60 }, (_, i) => i * 10));
});

await check('backwards with a limit gives the newest', async () => {
  const answer = await db.send(new QueryCommand({ ...orders, ScanIndexForward: false, Limit: 3 }));
  assert.deepEqual(answer.Items.map((item) => item.total), [590, 580, 570]);
  assert.equal(answer.LastEvaluatedKey.sk, 'ORDER#2026-01-057');
});

await check('a filter counts what it dropped', async () => {
  const answer = await db.send(new QueryCommand({
    ...orders,
    FilterExpression: '#t >= :min AND #s IN (:open, :other)',
    ExpressionAttributeNames: { '#t': 'total', '#s': 'status' },
    ExpressionAttributeValues: { ...orders.ExpressionAttributeValues, ':min': 300, ':open': 'OPEN', ':other': 'LOST' },
  }));
  assert.equal(answer.ScannedCount, 60);
  assert.equal(answer.Count, 10);
});

await check('the index finds open orders by day, both ways', async () => {
  const byStatus = {
    TableName, IndexName: 'gsi1', KeyConditionExpression: 'gsi1pk = :s AND gsi1sk BETWEEN :a AND :b',
    ExpressionAttributeValues: { ':s': 'STATUS#OPEN', ':a': '2026-01-003', ':b': '2026-01-012' },
  };
  const forward = await db.send(new QueryCommand(byStatus));
  assert.deepEqual(forward.Items.map((item) => item.total), [30, 60, 90, 120]);
  const backward = await db.send(new QueryCommand({ ...byStatus, ScanIndexForward: false }));
  assert.deepEqual(backward.Items, forward.Items.reverse());
});

await check('an order that changes its status moves in the index', async () => {
  const Key = { pk: 'CUSTOMER#1', sk: 'ORDER#2026-01-003' };
  const { Attributes } = await db.send(new UpdateCommand({
    TableName, Key, UpdateExpression: 'SET #s = :sent, gsi1pk = :g REMOVE #l[0]',
    ConditionExpression: '#s = :open', ReturnValues: 'ALL_NEW',
    ExpressionAttributeNames: { '#s': 'status', '#l': 'lines' },
    ExpressionAttributeValues: { ':sent': 'SENT', ':open': 'OPEN', ':g': 'STATUS#SENT' },
  }));
  assert.equal(Attributes.status, 'SENT');
  assert.deepEqual(Attributes.lines, [{ sku: 'B-2', quantity: 1 }]);
  const at = (status) => db.send(new QueryCommand({
    TableName, IndexName: 'gsi1', KeyConditionExpression: 'gsi1pk = :s AND gsi1sk = :d',
    ExpressionAttributeValues: { ':s': `STATUS#${status}`, ':d': '2026-01-003' },
  }));
  assert.equal((await at('OPEN')).Count, 0);
  assert.equal((await at('SENT')).Count, 1);
});

await check('a put only if absent fails with the item that is there', async () => {
  const error = await failure(db.send(new PutCommand({
    TableName, Item: { pk: 'CUSTOMER#1', sk: 'PROFILE' }, ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })), 'ConditionalCheckFailedException');
  assert.equal(error.message, 'The conditional request failed');
  assert.equal(error.Item.name.S ?? error.Item.name, 'Zoë 🙂');
  assert.equal(error.$metadata.httpStatusCode, 400);
});

await check('optimistic locking: of two writers with one version, one wins', async () => {
  const Key = { pk: 'CART#9', sk: 'CART' };
  await db.send(new PutCommand({ TableName, Item: { ...Key, version: 1, items: [] } }));
  const write = (who) => db.send(new UpdateCommand({
    TableName, Key, UpdateExpression: 'SET #v = #v + :one, #i = list_append(#i, :w)', ConditionExpression: '#v = :seen',
    ExpressionAttributeNames: { '#v': 'version', '#i': 'items' },
    ExpressionAttributeValues: { ':one': 1, ':seen': 1, ':w': [who] },
  }));
  const results = await Promise.allSettled([write('a'), write('b'), write('c')]);
  assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
  const { Item } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  assert.equal(Item.version, 2);
  assert.equal(Item.items.length, 1);
});

await check('forty concurrent increments are forty', async () => {
  const Key = { pk: 'COUNTER', sk: 'VISITS' };
  const results = await Promise.all(Array.from({ length: 40 }, () => db.send(new UpdateCommand({
    TableName, Key, UpdateExpression: 'ADD visits :one', ExpressionAttributeValues: { ':one': 1 }, ReturnValues: 'UPDATED_NEW',
  }))));
  const seen = results.map((result) => result.Attributes.visits).sort((a, b) => a - b);
  assert.deepEqual(seen, Array.from({ length: 40 }, (_, i) => i + 1));
});

await check('batch get with a projection, absent keys left out', async () => {
  const keys = [...Array(10).keys()].map((i) => ({ pk: 'CUSTOMER#1', sk: `ORDER#2026-01-${String(i).padStart(3, '0')}` }));
  const { Responses, UnprocessedKeys } = await db.send(new BatchGetCommand({
    RequestItems: { [TableName]: { Keys: [...keys, { pk: 'absent', sk: 'x' }], ProjectionExpression: 'sk, #l[0].sku',
      ExpressionAttributeNames: { '#l': 'lines' } } },
  }));
  assert.equal(Responses[TableName].length, 10);
  assert.deepEqual(UnprocessedKeys ?? {}, {});
  const first = Responses[TableName].find((item) => item.sk === 'ORDER#2026-01-000');
  assert.deepEqual(first, { sk: 'ORDER#2026-01-000', lines: [{ sku: 'A-1' }] });
});

await check('parallel scan segments together see everything once', async () => {
  const whole = await collect(paginateScan({ client: db }, { TableName }), (page) => page.Items);
  const segments = await Promise.all([0, 1, 2, 3].map((Segment) => collect(
    paginateScan({ client: db, pageSize: 5 }, { TableName, Segment, TotalSegments: 4 }), (page) => page.Items)));
  const id = (item) => `${item.pk}/${item.sk}`;
  assert.equal(whole.all.length, 63);
  assert.deepEqual(segments.flatMap((segment) => segment.all).map(id).sort(), whole.all.map(id).sort());
});

await check('a delete returns the old item, a second one nothing', async () => {
  const remove = () => db.send(new DeleteCommand({ TableName, Key: { pk: 'CART#9', sk: 'CART' }, ReturnValues: 'ALL_OLD' }));
  assert.equal((await remove()).Attributes.version, 2);
  assert.equal((await remove()).Attributes, undefined);
});

await check('a page ends at one megabyte', async () => {
  const blob = 'x'.repeat(100_000);
  for (let i = 0; i < 15; i += 1) await db.send(new PutCommand({ TableName, Item: { pk: 'BIG', sk: String(i).padStart(2, '0'), blob } }));
  const big = { TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': 'BIG' } };
  const first = await db.send(new QueryCommand(big));
  assert.ok(first.Count >= 10 && first.Count <= 11, `${first.Count} items`);
  assert.ok(first.LastEvaluatedKey);
  const { all } = await collect(paginateQuery({ client: db }, { ...big }), (page) => page.Items);
  assert.deepEqual(all.map((item) => Number(item.sk)), [...Array(15).keys()]);
});

await check('the table is deleted and waited for', async () => {
  await client.send(new DeleteTableCommand({ TableName }));
  const state = await waitUntilTableNotExists({ client, maxWaitTime: 30 }, { TableName });
  assert.equal(state.state, 'SUCCESS');
  await failure(client.send(new DescribeTableCommand({ TableName })), 'ResourceNotFoundException');
});

finish();
