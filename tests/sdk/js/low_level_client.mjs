// The bare client: numbers as text, binary, sets, consumed capacity, error classes, and an index added while writes go on.
import {
  DynamoDBClient, CreateTableCommand, UpdateTableCommand, DescribeTableCommand, DeleteTableCommand, ListTablesCommand, PutItemCommand,
  GetItemCommand, UpdateItemCommand, QueryCommand, BatchWriteItemCommand, TagResourceCommand, ListTagsOfResourceCommand,
  ConditionalCheckFailedException, ResourceNotFoundException, ResourceInUseException, waitUntilTableExists, paginateListTables,
} from '@aws-sdk/client-dynamodb';
import { assert, check, clientConfig, failure, finish, unique } from './tap.mjs';

const client = new DynamoDBClient(clientConfig);
const TableName = unique('plain');
const key = (pk, sk) => ({ pk: { S: pk }, sk: { N: String(sk) } });
const definition = {
  TableName,
  BillingMode: 'PROVISIONED',
  ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 },
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }, { AttributeName: 'sk', AttributeType: 'N' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
};

await check('a provisioned table is described as it was asked for', async () => {
  await client.send(new CreateTableCommand({ ...definition, Tags: [{ Key: 'team', Value: 'search' }] }));
  await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName });
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 5);
  assert.equal(Table.ProvisionedThroughput.WriteCapacityUnits, 6);
  assert.deepEqual(Table.KeySchema, definition.KeySchema);
  assert.match(Table.TableId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

await check('creating it again is ResourceInUseException', async () => {
  const error = await failure(client.send(new CreateTableCommand(definition)), 'ResourceInUseException');
  assert.ok(error instanceof ResourceInUseException);
});

await check('tags are kept', async () => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  await client.send(new TagResourceCommand({ ResourceArn: Table.TableArn, Tags: [{ Key: 'stage', Value: 'test' }] }));
  const { Tags } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: Table.TableArn }));
  assert.deepEqual(Object.fromEntries(Tags.map((tag) => [tag.Key, tag.Value])), { team: 'search', stage: 'test' });
});

await check('the table list is paged', async () => {
  const names = [];
  for await (const page of paginateListTables({ client, pageSize: 1 }, {})) names.push(...page.TableNames);
  assert.ok(names.includes(TableName));
  assert.deepEqual([...new Set(names)], names);
  assert.ok((await client.send(new ListTablesCommand({}))).TableNames.includes(TableName));
});

const numbers = [
  ['1.0', '1'], ['-0', '0'], ['1E2', '100'], ['0.000', '0'], ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
  ['-9.9999999999999999999999999999999999999E+125', '-99999999999999999999999999999999999999' + '0'.repeat(88)],
  ['1E-130', `0.${'0'.repeat(129)}1`], ['0.10000000000000000000000000000000000001', '0.10000000000000000000000000000000000001'],
];
await check('numbers keep 38 digits', async () => {
  for (const [sent, kept] of numbers) {
    await client.send(new PutItemCommand({ TableName, Item: { ...key('number', 1), n: { N: sent } } }));
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: key('number', 1), ConsistentRead: true }));
    assert.equal(Item.n.N, kept, sent);
  }
  const error = await failure(client.send(new PutItemCommand({ TableName, Item: { ...key('number', 2), n: { N: '1E126' } } })), 'ValidationException');
  assert.match(error.message, /Number overflow/);
});

await check('sums are exact', async () => {
  await client.send(new PutItemCommand({ TableName, Item: { ...key('sum', 1), n: { N: '0.1' } } }));
  const { Attributes } = await client.send(new UpdateItemCommand({
    TableName, Key: key('sum', 1), UpdateExpression: 'SET n = n + :x', ExpressionAttributeValues: { ':x': { N: '0.2' } }, ReturnValues: 'ALL_NEW',
  }));
  assert.equal(Attributes.n.N, '0.3');
});

await check('binary and sets come back equal', async () => {
  const Item = {
    ...key('types', 1), b: { B: new Uint8Array(256).map((_, i) => i) }, bs: { BS: [new Uint8Array([1]), new Uint8Array([0, 255])] },
    ss: { SS: ['ä', 'b'] }, ns: { NS: ['1', '2.5', '-3'] }, l: { L: [{ NULL: true }, { BOOL: false }, { M: {} }, { L: [] }] }, e: { B: new Uint8Array() },
  };
  await client.send(new PutItemCommand({ TableName, Item }));
  const back = (await client.send(new GetItemCommand({ TableName, Key: key('types', 1), ConsistentRead: true }))).Item;
  assert.deepEqual([...back.b.B], [...Item.b.B]);
  assert.deepEqual(back.bs.BS.map((one) => [...one].join()).sort(), ['0,255', '1']);
  assert.deepEqual(back.ss.SS.sort(), ['b', 'ä']);
  assert.deepEqual(back.ns.NS.map(Number).sort((a, b) => a - b), [-3, 1, 2.5]);
  assert.deepEqual(back.l, Item.l);
  assert.equal(back.e.B.length, 0);
});

await check('numeric sort keys sort by value', async () => {
  const values = ['-100', '-1.5', '-1', '0', '0.5', '1', '2', '10', '1000000'];
  await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]:
    [...values].reverse().map((n) => ({ PutRequest: { Item: key('sorted', n) } })) } }));
  const { Items } = await client.send(new QueryCommand({
    TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': { S: 'sorted' } }, ConsistentRead: true,
  }));
  assert.deepEqual(Items.map((item) => item.sk.N), values);
});

await check('capacity is counted in steps of 1 KB written and 4 KB read', async () => {
  const put = await client.send(new PutItemCommand({
    TableName, Item: { ...key('cap', 1), x: { S: 'x'.repeat(5000) } }, ReturnConsumedCapacity: 'TOTAL',
  }));
  assert.deepEqual(put.ConsumedCapacity, { TableName, CapacityUnits: 5 });
  const get = (ConsistentRead) => client.send(new GetItemCommand({ TableName, Key: key('cap', 1), ConsistentRead, ReturnConsumedCapacity: 'INDEXES' }));
  assert.deepEqual((await get(true)).ConsumedCapacity, { TableName, CapacityUnits: 2, Table: { CapacityUnits: 2 } });
  assert.equal((await get(false)).ConsumedCapacity.CapacityUnits, 1);
});

await check('errors have their classes', async () => {
  const missing = await failure(client.send(new GetItemCommand({ TableName: `${TableName}.none`, Key: key('a', 1) })), 'ResourceNotFoundException');
  assert.ok(missing instanceof ResourceNotFoundException);
  const refused = await failure(client.send(new PutItemCommand({
    TableName, Item: key('nothing', 1), ConditionExpression: 'attribute_exists(pk)',
  })), 'ConditionalCheckFailedException');
  assert.ok(refused instanceof ConditionalCheckFailedException);
  assert.equal(refused.Item, undefined);
  const invalid = await failure(client.send(new GetItemCommand({ TableName, Key: { pk: { S: 'a' } } })), 'ValidationException');
  assert.equal(invalid.message, 'The provided key element does not match the schema');
  assert.match(invalid.$metadata.requestId, /^[0-9A-Z]{52}$/);
});

await check('an index added while writes go on has every item', async () => {
  const write = (i) => client.send(new PutItemCommand({ TableName, Item: { ...key('indexed', i), colour: { S: i % 2 ? 'red' : 'blue' } } }));
  for (let i = 0; i < 100; i += 1) await write(i);
  await client.send(new UpdateTableCommand({
    TableName,
    AttributeDefinitions: [...definition.AttributeDefinitions, { AttributeName: 'colour', AttributeType: 'S' }],
    GlobalSecondaryIndexUpdates: [{ Create: {
      IndexName: 'by_colour', KeySchema: [{ AttributeName: 'colour', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
      Projection: { ProjectionType: 'KEYS_ONLY' }, ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
    } }],
  }));
  for (let i = 100; i < 200; i += 1) await write(i);
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    if (Table.TableStatus === 'ACTIVE' && Table.GlobalSecondaryIndexes?.[0]?.IndexStatus === 'ACTIVE') break;
    assert.ok(Date.now() < deadline, 'the index never became ACTIVE');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { Items, Count } = await client.send(new QueryCommand({
    TableName, IndexName: 'by_colour', KeyConditionExpression: 'colour = :c', ExpressionAttributeValues: { ':c': { S: 'red' } }, ScanIndexForward: false,
  }));
  assert.equal(Count, 100);
  assert.deepEqual(Items[0], { ...key('indexed', 199), colour: { S: 'red' } });
});

await check('the table is deleted', async () => {
  const { TableDescription } = await client.send(new DeleteTableCommand({ TableName }));
  assert.equal(TableDescription.TableStatus, 'DELETING');
});

finish();
