// Sessions that expire by themselves: TTL in epoch seconds, and an index per user that holds what is left.
import {
  CreateTableCommand, DeleteTableCommand, DescribeTimeToLiveCommand, DynamoDBClient, UpdateTimeToLiveCommand, waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { assert, check, clientConfig, databaseTime, failure, finish, unique } from './tap.mjs';

const client = new DynamoDBClient(clientConfig);
const db = DynamoDBDocumentClient.from(client);
const TableName = unique('story-sessions');
const DAY_S = 24 * 60 * 60;
const now = Math.floor(await databaseTime());

const key = (name) => ({ pk: `SESSION#${name}`, sk: `SESSION#${name}` });
const session = (name, user, ttl) => ({ ...key(name), gsi1pk: `USER#${user}`, gsi1sk: `SESSION#${name}`, ttl });
// What has expired may still be there, so the question says when.
const sessionsOf = async (user, at) => (await db.send(new QueryCommand({
  TableName, IndexName: 'gsi1', KeyConditionExpression: 'gsi1pk = :u', FilterExpression: '#t > :at',
  ExpressionAttributeNames: { '#t': 'ttl' }, ExpressionAttributeValues: { ':u': `USER#${user}`, ':at': at },
}))).Items.map((item) => item.pk.split('#')[1]);
const stored = async () => (await db.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items.map((item) => item.pk.split('#')[1]).sort();
const renew = (name, ttl) => db.send(new UpdateCommand({
  TableName, Key: key(name), UpdateExpression: 'SET #t = :t', ConditionExpression: 'attribute_exists(pk) AND #t > :now',
  ExpressionAttributeNames: { '#t': 'ttl' }, ExpressionAttributeValues: { ':t': ttl, ':now': now },
}));

await check('a table with TTL', async () => {
  await client.send(new CreateTableCommand({
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
  await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName });
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ttl' };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  assert.equal(TimeToLiveDescription.AttributeName, 'ttl');
  await failure(client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification })), 'ValidationException');
});

await check('sessions of an hour, a day and a month, and some whose ttl means nothing', async () => {
  const items = [
    session('hour', 'ann', now + 3600), session('day', 'ann', now + DAY_S), session('month', 'bob', now + 30 * DAY_S),
    session('text', 'bob', String(now + 3600)), session('millis', 'bob', (now + 3600) * 1000), session('ancient', 'bob', now - 6 * 366 * DAY_S),
    key('forever'),
  ];
  await db.send(new BatchWriteCommand({ RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } }));
  assert.deepEqual(await sessionsOf('ann', now), ['day', 'hour']);
});

await check('a session that is used lives on', async () => {
  await renew('day', now + 2 * DAY_S);
  assert.deepEqual(await sessionsOf('ann', now + DAY_S), ['day']);
});

await check('when their time has come they are gone, from the index too', async () => {
  await databaseTime({ advance: 3700 });
  assert.deepEqual(await stored(), ['ancient', 'day', 'forever', 'millis', 'month', 'text']);
  assert.deepEqual(await sessionsOf('ann', 0), ['day']);
  await databaseTime({ advance: 3 * DAY_S });
  assert.deepEqual(await stored(), ['ancient', 'forever', 'millis', 'month', 'text']);
  assert.deepEqual(await sessionsOf('ann', 0), []);
  const { Item } = await db.send(new GetCommand({ TableName, Key: key('day'), ConsistentRead: true }));
  assert.equal(Item, undefined);
});

await check('what has expired cannot be renewed', async () => {
  await failure(renew('day', now + 9 * DAY_S), 'ConditionalCheckFailedException');
});

await check('with TTL off nothing expires', async () => {
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { Enabled: false, AttributeName: 'ttl' } }));
  const later = Math.floor(await databaseTime());
  await db.send(new PutCommand({ TableName, Item: session('late', 'ann', later + 60) }));
  await databaseTime({ advance: 3600 });
  assert.ok((await stored()).includes('late'));
});

await check('the table is deleted', () => client.send(new DeleteTableCommand({ TableName })));

finish();
