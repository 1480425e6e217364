// Posts, comments and groups in one table: counters, copied names, a sparse index of what is published, and members both ways.
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { assert, check, clientConfig, failure, finish, unique } from './tap.mjs';

const client = new DynamoDBClient(clientConfig);
const db = DynamoDBDocumentClient.from(client);
const TableName = unique('story-posts');

const profile = (user) => ({ pk: `USER#${user}`, sk: 'PROFILE' });
const post = (name) => ({ pk: `POST#${name}`, sk: 'METADATA' });
const group = (name) => ({ pk: `GROUP#${name}`, sk: 'METADATA' });
const get = async (Key) => (await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
const collection = async (pk, prefix = '', more = {}) => (await db.send(new QueryCommand({
  TableName, KeyConditionExpression: prefix ? 'pk = :p AND begins_with(sk, :s)' : 'pk = :p',
  ExpressionAttributeValues: prefix ? { ':p': pk, ':s': prefix } : { ':p': pk }, ...more,
}))).Items;
const inIndex = async (gsi1pk) => (await db.send(new QueryCommand({
  TableName, IndexName: 'gsi1', KeyConditionExpression: 'gsi1pk = :p', ExpressionAttributeValues: { ':p': gsi1pk },
}))).Items;
const put = (Item) => ({ Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } });
// ADD counts from nothing; SET x = x + 1 would fail on the first.
const add = (Key, counter, amount) => ({ Update: {
  TableName, Key, UpdateExpression: 'ADD #c :n', ConditionExpression: 'attribute_exists(pk)',
  ExpressionAttributeNames: { '#c': counter }, ExpressionAttributeValues: { ':n': amount },
} });
const remove = (pk, sk) => ({ Delete: { TableName, Key: { pk, sk }, ConditionExpression: 'attribute_exists(pk)' } });
const transact = (...TransactItems) => db.send(new TransactWriteCommand({ TransactItems }));
const reasons = async (promise) => (await failure(promise, 'TransactionCanceledException')).CancellationReasons.map((reason) => reason.Code);

const writePost = (user, name, at, title) => transact(
  put({ pk: `USER#${user}`, sk: `POST#${at}#${name}`, post: name, title }),
  put({ ...post(name), user, at, title }),
  add(profile(user), 'posts', 1),
);
const comment = async (name, user, at, id, text) => transact(
  put({
    pk: `POST#${name}`, sk: `COMMENT#${at}#${id}`, user, userName: (await get(profile(user))).name, text, gsi1pk: `BY#${user}`, gsi1sk: `${at}#${id}`,
  }),
  add(post(name), 'comments', 1),
);
const join = async (user, name, role) => transact(
  put({ pk: `USER#${user}`, sk: `GROUP#${name}`, group: name, groupName: (await get(group(name))).name, role }),
  put({ pk: `GROUP#${name}`, sk: `USER#${user}`, userName: (await get(profile(user))).name, role }),
  add(group(name), 'members', 1),
);
const leave = (user, name) => transact(
  remove(`USER#${user}`, `GROUP#${name}`), remove(`GROUP#${name}`, `USER#${user}`), add(group(name), 'members', -1),
);
// The name stands in each comment and membership too; all change together.
async function rename(user, name) {
  const memberships = (await collection(`USER#${user}`, 'GROUP#')).map((item) => ({ pk: `GROUP#${item.group}`, sk: `USER#${user}` }));
  const copies = [...await inIndex(`BY#${user}`), ...memberships].map(({ pk, sk }) => [{ pk, sk }, 'userName']);
  await transact(...[[profile(user), 'name'], ...copies].map(([Key, attribute]) => ({ Update: {
    TableName, Key, UpdateExpression: 'SET #n = :n', ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#n': attribute }, ExpressionAttributeValues: { ':n': name },
  } })));
}

await check('one table with one index for comments by author and published posts', async () => {
  await client.send(new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
    GlobalSecondaryIndexes: [{
      IndexName: 'gsi1',
      KeySchema: [{ AttributeName: 'gsi1pk', KeyType: 'HASH' }, { AttributeName: 'gsi1sk', KeyType: 'RANGE' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    }],
  }));
  await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName });
  for (const [user, name] of [['jane', 'Jane'], ['john', 'John'], ['kim', 'Kim']]) {
    await db.send(new PutCommand({ TableName, Item: { ...profile(user), name } }));
  }
});

await check('posts of a user, newest first, counted from the first on', async () => {
  await writePost('john', 'p1', '2025-01-02T10:30:00Z', 'First');
  await writePost('john', 'p2', '2025-01-03T09:00:00Z', 'Second');
  await writePost('jane', 'p3', '2025-01-04T09:00:00Z', 'Third');
  const titles = (await collection('USER#john', 'POST#', { ScanIndexForward: false })).map((item) => item.title);
  assert.deepEqual(titles, ['Second', 'First']);
  assert.deepEqual([(await get(profile('john'))).posts, (await get(profile('jane'))).posts], [2, 1]);
});

await check('a post written twice, or by nobody, changes nothing', async () => {
  assert.deepEqual(
    await reasons(writePost('john', 'p1', '2025-01-02T10:30:00Z', 'Again')), ['ConditionalCheckFailed', 'ConditionalCheckFailed', 'None']);
  assert.deepEqual(await reasons(writePost('nobody', 'p9', '2025-01-02T10:30:00Z', 'Ghost')), ['None', 'None', 'ConditionalCheckFailed']);
  assert.equal((await get(profile('john'))).posts, 2);
  assert.equal(await get(post('p9')), undefined);
});

await check('a post with its comments by its key alone, comments in the order of time', async () => {
  await comment('p1', 'kim', '2025-01-02T12:00:00Z', 'c2', 'Second!');
  await comment('p1', 'jane', '2025-01-02T11:00:00Z', 'c1', 'Great post!');
  await comment('p1', 'jane', '2025-01-02T13:00:00Z', 'c3', 'Still great');
  const found = await collection('POST#p1');
  assert.deepEqual(found.map((item) => item.sk.split('#').at(-1)), ['c1', 'c2', 'c3', 'METADATA']);
  assert.deepEqual(found.map((item) => item.userName), ['Jane', 'Kim', 'Jane', undefined]);
  assert.equal(found[3].comments, 3);
  const latest = await collection('POST#p1', 'COMMENT#', { ScanIndexForward: false, Limit: 1 });
  assert.deepEqual(latest.map((item) => item.text), ['Still great']);
});

await check('the index holds what is published; taking the attribute away takes the post out', async () => {
  const publish = (name, at) => db.send(new UpdateCommand({
    TableName, Key: post(name), UpdateExpression: 'SET gsi1pk = :p, gsi1sk = :at',
    ExpressionAttributeValues: { ':p': `PUBLISHED#${at.slice(0, 7)}`, ':at': at },
  }));
  await publish('p2', '2025-01-03T09:00:00Z');
  await publish('p1', '2025-01-02T10:30:00Z');
  assert.deepEqual((await inIndex('PUBLISHED#2025-01')).map((item) => item.pk), ['POST#p1', 'POST#p2']);
  await db.send(new UpdateCommand({ TableName, Key: post('p1'), UpdateExpression: 'REMOVE gsi1pk, gsi1sk' }));
  const left = await inIndex('PUBLISHED#2025-01');
  assert.deepEqual(left, [{ ...post('p2'), gsi1pk: 'PUBLISHED#2025-01', gsi1sk: '2025-01-03T09:00:00Z' }]);
});

await check('members of a group, groups of a user, and whether one is in the other', async () => {
  for (const [name, title] of [['dev', 'Developers'], ['ops', 'Operators']]) {
    await db.send(new PutCommand({ TableName, Item: { ...group(name), name: title } }));
  }
  await join('jane', 'dev', 'admin');
  await join('john', 'dev', 'member');
  await join('jane', 'ops', 'member');
  const groups = (await collection('USER#jane', 'GROUP#')).map((item) => [item.groupName, item.role]);
  assert.deepEqual(groups, [['Developers', 'admin'], ['Operators', 'member']]);
  assert.deepEqual((await collection('GROUP#dev', 'USER#')).map((item) => item.userName), ['Jane', 'John']);
  assert.equal((await get({ pk: 'USER#john', sk: 'GROUP#dev' })).role, 'member');
  assert.equal(await get({ pk: 'USER#john', sk: 'GROUP#ops' }), undefined);
  assert.deepEqual(await reasons(join('jane', 'dev', 'member')), ['ConditionalCheckFailed', 'ConditionalCheckFailed', 'None']);
  assert.equal((await get(group('dev'))).members, 2);
});

await check('leaving takes both items and one of the count, once', async () => {
  await leave('john', 'dev');
  assert.deepEqual(await reasons(leave('john', 'dev')), ['ConditionalCheckFailed', 'ConditionalCheckFailed', 'None']);
  assert.equal((await get(group('dev'))).members, 1);
  assert.deepEqual(await collection('USER#john', 'GROUP#'), []);
});

await check('a new name appears everywhere at once', async () => {
  await rename('jane', 'Janet');
  assert.deepEqual((await collection('POST#p1', 'COMMENT#')).map((item) => item.userName), ['Janet', 'Kim', 'Janet']);
  assert.deepEqual((await collection('GROUP#ops', 'USER#')).map((item) => item.userName), ['Janet']);
  assert.equal((await get(profile('jane'))).name, 'Janet');
});

await check('the table is deleted', () => client.send(new DeleteTableCommand({ TableName })));

finish();
