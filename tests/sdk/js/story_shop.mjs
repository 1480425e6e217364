// A shop in one table: customers, orders with lines and status, stock, and a unique email. Every access pattern, with exact results.
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { assert, check, clientConfig, failure, finish, unique } from './tap.mjs';

const client = new DynamoDBClient(clientConfig);
const db = DynamoDBDocumentClient.from(client);
const TableName = unique('story-shop');
const STATUS_SHARDS = 4; // pending orders of the whole shop under one key would make that key hot

const orderName = (number) => String(number).padStart(8, '0');
const statusKey = (status, number) => `STATUS#${status}#${number % STATUS_SHARDS}`;
const put = (Item, ConditionExpression) => ({ Put: { TableName, Item, ConditionExpression } });
const absent = 'attribute_not_exists(PK)';
const transact = (...TransactItems) => db.send(new TransactWriteCommand({ TransactItems }));
const query = async (KeyConditionExpression, values, more = {}) => (await db.send(new QueryCommand({
  TableName, KeyConditionExpression, ExpressionAttributeValues: values, ...more,
}))).Items;
const get = async (PK, SK) => (await db.send(new GetCommand({ TableName, Key: { PK, SK }, ConsistentRead: true }))).Item;

// The guard makes the address unique: a second customer with it cancels both puts.
const createCustomer = (user, name, email) => transact(
  put({ PK: `USER#${user}`, SK: 'PROFILE', name, email, GSI1PK: `EMAIL#${email}`, GSI1SK: 'PROFILE' }, absent),
  put({ PK: `EMAIL#${email}`, SK: 'EMAIL', user }, absent),
);

// The order, its lines, its first status and the stock: all or nothing.
function placeOrder(user, number, at, lines) {
  const order = orderName(number);
  const total = lines.reduce((sum, [, price, quantity]) => sum + price * quantity, 0);
  return transact(
    put({
      PK: `USER#${user}`, SK: `ORDER#${at}#${order}`, order, total, status: 'pending', GSI1PK: `ORDER#${order}`, GSI1SK: 'METADATA',
      GSI2PK: statusKey('pending', number), GSI2SK: `${at}#${order}`,
    }, absent),
    put({ PK: `ORDER#${order}`, SK: `STATUS#${at}#pending` }),
    ...lines.flatMap(([product, price, quantity], line) => [
      put({ PK: `ORDER#${order}`, SK: `ITEM#${String(line + 1).padStart(3, '0')}`, product, price, quantity }),
      { Update: {
        TableName, Key: { PK: `PRODUCT#${product}`, SK: 'METADATA' }, UpdateExpression: 'SET stock = stock - :q',
        ConditionExpression: 'stock >= :q', ExpressionAttributeValues: { ':q': quantity },
      } },
    ]),
  );
}

// A new status is a new row of the order's history, and moves the order in the index.
const setStatus = (user, number, placed, at, status) => transact(
  put({ PK: `ORDER#${orderName(number)}`, SK: `STATUS#${at}#${status}` }),
  { Update: {
    TableName, Key: { PK: `USER#${user}`, SK: `ORDER#${placed}#${orderName(number)}` }, UpdateExpression: 'SET #s = :s, GSI2PK = :k',
    ConditionExpression: 'attribute_exists(PK)', ExpressionAttributeNames: { '#s': 'status' },
    ExpressionAttributeValues: { ':s': status, ':k': statusKey(status, number) },
  } },
);

// All shards of the key, merged by date.
async function ordersWithStatus(status) {
  const pages = await Promise.all([...Array(STATUS_SHARDS).keys()].map((shard) => query(
    'GSI2PK = :k', { ':k': `STATUS#${status}#${shard}` }, { IndexName: 'GSI2' })));
  return pages.flat().sort((a, b) => (a.GSI2SK < b.GSI2SK ? -1 : 1)).map((item) => Number(item.order));
}

const reasons = async (promise) => (await failure(promise, 'TransactionCanceledException')).CancellationReasons.map((reason) => reason.Code);

await check('one table with two overloaded indexes', async () => {
  await client.send(new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
    GlobalSecondaryIndexes: ['GSI1', 'GSI2'].map((IndexName) => ({
      IndexName,
      KeySchema: [{ AttributeName: `${IndexName}PK`, KeyType: 'HASH' }, { AttributeName: `${IndexName}SK`, KeyType: 'RANGE' }],
      Projection: { ProjectionType: 'ALL' },
    })),
  }));
  await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName });
});

await check('customers, products and orders are loaded by transactions', async () => {
  await createCustomer(42, 'Ann', 'ann@example.com');
  await createCustomer(43, 'Bob', 'bob@example.com');
  await db.send(new PutCommand({ TableName, Item: { PK: 'USER#42', SK: 'ADDRESS#home', city: 'Bern' } }));
  for (const [product, stock] of [['SKU-1', 10], ['SKU-2', 3]]) {
    await db.send(new PutCommand({ TableName, Item: { PK: `PRODUCT#${product}`, SK: 'METADATA', stock } }));
  }
  await placeOrder(42, 1001, '2024-01-15T10:00:00Z', [['SKU-1', 20, 2], ['SKU-2', 5, 1]]);
  await placeOrder(42, 1002, '2024-06-30T23:59:59Z', [['SKU-1', 20, 1]]);
  await placeOrder(43, 1003, '2024-02-01T08:00:00Z', [['SKU-1', 20, 1]]);
  await placeOrder(42, 1004, '2024-07-01T00:00:00Z', [['SKU-1', 20, 1]]);
});

await check('a second customer with the same address is refused whole', async () => {
  assert.deepEqual(await reasons(createCustomer(44, 'Ann again', 'ann@example.com')), ['None', 'ConditionalCheckFailed']);
  assert.equal(await get('USER#44', 'PROFILE'), undefined);
});

await check('customer by id, by address, and everything about one in sort-key order', async () => {
  assert.equal((await get('USER#42', 'PROFILE')).name, 'Ann');
  const found = await query('GSI1PK = :e AND GSI1SK = :p', { ':e': 'EMAIL#bob@example.com', ':p': 'PROFILE' }, { IndexName: 'GSI1' });
  assert.deepEqual(found.map((item) => item.PK), ['USER#43']);
  assert.deepEqual((await query('PK = :u', { ':u': 'USER#42' })).map((item) => item.SK), [
    'ADDRESS#home', 'ORDER#2024-01-15T10:00:00Z#00001001', 'ORDER#2024-06-30T23:59:59Z#00001002',
    'ORDER#2024-07-01T00:00:00Z#00001004', 'PROFILE',
  ]);
});

await check('orders newest first, the latest two, and those of a half year with its last day', async () => {
  const mine = ['PK = :u AND begins_with(SK, :o)', { ':u': 'USER#42', ':o': 'ORDER#' }];
  const numbers = (items) => items.map((item) => Number(item.order));
  assert.deepEqual(numbers(await query(...mine, { ScanIndexForward: false })), [1004, 1002, 1001]);
  assert.deepEqual(numbers(await query(...mine, { ScanIndexForward: false, Limit: 2 })), [1004, 1002]);
  const half = await query('PK = :u AND SK BETWEEN :a AND :b', { ':u': 'USER#42', ':a': 'ORDER#2024-01', ':b': 'ORDER#2024-07' });
  assert.deepEqual(numbers(half), [1001, 1002]);
});

await check('order by number, its lines, its total', async () => {
  const found = await query('GSI1PK = :o AND GSI1SK = :m', { ':o': 'ORDER#00001001', ':m': 'METADATA' }, { IndexName: 'GSI1' });
  assert.deepEqual(found.map((item) => [item.PK, item.total]), [['USER#42', 45]]);
  const lines = await query('PK = :o AND begins_with(SK, :i)', { ':o': 'ORDER#00001001', ':i': 'ITEM#' });
  assert.deepEqual(lines.map((item) => [item.product, item.quantity]), [['SKU-1', 2], ['SKU-2', 1]]);
});

await check('status history in the order of time, and the index moves with the status', async () => {
  assert.deepEqual(await ordersWithStatus('pending'), [1001, 1003, 1002, 1004]);
  await setStatus(42, 1001, '2024-01-15T10:00:00Z', '2024-01-16T09:00:00Z', 'shipped');
  await setStatus(42, 1001, '2024-01-15T10:00:00Z', '2024-01-18T12:00:00Z', 'delivered');
  await setStatus(43, 1003, '2024-02-01T08:00:00Z', '2024-02-02T08:00:00Z', 'shipped');
  const history = await query('PK = :o AND begins_with(SK, :s)', { ':o': 'ORDER#00001001', ':s': 'STATUS#' });
  assert.deepEqual(history.map((item) => item.SK.split('#')[2]), ['pending', 'shipped', 'delivered']);
  assert.deepEqual(await ordersWithStatus('pending'), [1002, 1004]);
  assert.deepEqual(await ordersWithStatus('shipped'), [1003]);
  assert.deepEqual(await ordersWithStatus('delivered'), [1001]);
});

await check('an order of more than there is leaves nothing behind, nor does one placed twice', async () => {
  assert.deepEqual(
    await reasons(placeOrder(42, 1005, '2024-08-01T00:00:00Z', [['SKU-2', 5, 3]])), ['None', 'None', 'None', 'ConditionalCheckFailed']);
  assert.equal((await reasons(placeOrder(42, 1004, '2024-07-01T00:00:00Z', [['SKU-2', 5, 1]])))[0], 'ConditionalCheckFailed');
  assert.deepEqual([(await get('PRODUCT#SKU-1', 'METADATA')).stock, (await get('PRODUCT#SKU-2', 'METADATA')).stock], [5, 2]);
  assert.deepEqual(await query('PK = :o', { ':o': 'ORDER#00001005' }), []);
});

await check('of ten buyers of the last two, two get one', async () => {
  const orders = await Promise.allSettled([...Array(10).keys()].map((n) => placeOrder(43, 2000 + n, '2024-09-01T00:00:00Z', [['SKU-2', 5, 1]])));
  assert.equal(orders.filter((order) => order.status === 'fulfilled').length, 2);
  assert.equal((await get('PRODUCT#SKU-2', 'METADATA')).stock, 0);
  assert.equal((await query('PK = :u AND SK BETWEEN :a AND :b', { ':u': 'USER#43', ':a': 'ORDER#2024-09', ':b': 'ORDER#2024-10' })).length, 2);
});

await check('the table is deleted', () => client.send(new DeleteTableCommand({ TableName })));

finish();
