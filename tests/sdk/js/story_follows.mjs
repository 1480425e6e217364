// Who follows whom, both ways: as one item with an inverted index, and as two items written in one transaction.
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand, DynamoDBDocumentClient, GetCommand, QueryCommand, TransactGetCommand, TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { assert, check, clientConfig, failure, finish, unique } from './tap.mjs';

const client = new DynamoDBClient(clientConfig);
const db = DynamoDBDocumentClient.from(client);
const TableName = unique('story-follows');

const user = (name) => ({ pk: `USER#${name}`, sk: `USER#${name}` });
const count = (name, counter, amount) => ({ Update: {
  TableName, Key: user(name), UpdateExpression: 'ADD #c :n', ConditionExpression: 'attribute_exists(pk)',
  ExpressionAttributeNames: { '#c': counter }, ExpressionAttributeValues: { ':n': amount },
} });
const transact = (...TransactItems) => db.send(new TransactWriteCommand({ TransactItems }));
const reasons = async (promise) => (await failure(promise, 'TransactionCanceledException')).CancellationReasons.map((reason) => reason.Code);

// An item on either side, and both counts.
const follow = (one, other) => transact(
  { Put: { TableName, Item: { pk: `USER#${one}`, sk: `FOLLOWS#${other}` }, ConditionExpression: 'attribute_not_exists(pk)' } },
  { Put: { TableName, Item: { pk: `USER#${other}`, sk: `FOLLOWED_BY#${one}` } } },
  count(one, 'follows', 1), count(other, 'followers', 1),
);
const unfollow = (one, other) => transact(
  { Delete: { TableName, Key: { pk: `USER#${one}`, sk: `FOLLOWS#${other}` }, ConditionExpression: 'attribute_exists(pk)' } },
  { Delete: { TableName, Key: { pk: `USER#${other}`, sk: `FOLLOWED_BY#${one}` } } },
  count(one, 'follows', -1), count(other, 'followers', -1),
);
const edges = async (name, kind) => (await db.send(new QueryCommand({
  TableName, KeyConditionExpression: 'pk = :p AND begins_with(sk, :k)', ExpressionAttributeValues: { ':p': `USER#${name}`, ':k': `${kind}#` },
}))).Items.map((item) => item.sk.split('#')[1]);
const followersByIndex = async (name) => (await db.send(new QueryCommand({
  TableName, IndexName: 'inverted', KeyConditionExpression: 'sk = :s', ExpressionAttributeValues: { ':s': `FOLLOWS#${name}` },
}))).Items;
const counts = async (...names) => (await db.send(new TransactGetCommand({
  TransactItems: names.map((name) => ({ Get: { TableName, Key: user(name) } })),
}))).Responses.map(({ Item }) => [Item.follows ?? 0, Item.followers ?? 0]);
const doesFollow = async (one, other) => (await db.send(new GetCommand({ TableName, Key: { pk: `USER#${one}`, sk: `FOLLOWS#${other}` } }))).Item !== undefined;

await check('a table with its inverted index', async () => {
  await client.send(new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
    GlobalSecondaryIndexes: [{
      IndexName: 'inverted',
      KeySchema: [{ AttributeName: 'sk', KeyType: 'HASH' }, { AttributeName: 'pk', KeyType: 'RANGE' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    }],
  }));
  await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName });
  const puts = ['alice', 'bob', 'carol'].map((name) => ({ PutRequest: { Item: user(name) } }));
  await db.send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
});

await check('alice follows bob and carol, bob follows alice', async () => {
  await follow('alice', 'bob');
  await follow('alice', 'carol');
  await follow('bob', 'alice');
  assert.deepEqual(await edges('alice', 'FOLLOWS'), ['bob', 'carol']);
  assert.deepEqual(await edges('bob', 'FOLLOWED_BY'), ['alice']);
  assert.deepEqual(await counts('alice', 'bob', 'carol'), [[2, 1], [1, 1], [0, 1]]);
});

await check('the inverted index knows the followers without a second item', async () => {
  assert.deepEqual(await followersByIndex('bob'), [{ pk: 'USER#alice', sk: 'FOLLOWS#bob' }]);
});

await check('alice follows bob, bob does not follow carol', async () => {
  assert.deepEqual([await doesFollow('alice', 'bob'), await doesFollow('bob', 'carol')], [true, false]);
});

await check('following twice, or somebody who is not there, changes nothing', async () => {
  assert.deepEqual(await reasons(follow('alice', 'bob')), ['ConditionalCheckFailed', 'None', 'None', 'None']);
  assert.deepEqual(await reasons(follow('alice', 'nobody')), ['None', 'None', 'None', 'ConditionalCheckFailed']);
  assert.deepEqual(await edges('alice', 'FOLLOWS'), ['bob', 'carol']);
  assert.deepEqual(await counts('alice'), [[2, 1]]);
});

await check('of eight who click follow at once, one does', async () => {
  const clicks = await Promise.allSettled(Array.from({ length: 8 }, () => follow('carol', 'bob')));
  assert.equal(clicks.filter((click) => click.status === 'fulfilled').length, 1);
  assert.deepEqual(await counts('carol', 'bob'), [[1, 1], [1, 2]]);
});

await check('unfollowing takes both items and both counts', async () => {
  await unfollow('alice', 'bob');
  assert.deepEqual(await reasons(unfollow('alice', 'bob')), ['ConditionalCheckFailed', 'None', 'None', 'None']);
  assert.deepEqual([await edges('alice', 'FOLLOWS'), await edges('bob', 'FOLLOWED_BY')], [['carol'], ['carol']]);
  assert.deepEqual(await counts('alice', 'bob'), [[1, 1], [1, 1]]);
  assert.deepEqual(await followersByIndex('bob'), [{ pk: 'USER#carol', sk: 'FOLLOWS#bob' }]);
});

await check('the table is deleted', () => client.send(new DeleteTableCommand({ TableName })));

finish();
