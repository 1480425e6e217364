// ElectroDB: entities and a service over one table, as its users write them.
import { DynamoDBClient, CreateTableCommand, DeleteTableCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Entity, Service } from 'electrodb';
import { assert, check, clientConfig, finish, unique } from './tap.mjs';

const bare = new DynamoDBClient(clientConfig);
const client = DynamoDBDocumentClient.from(bare, { marshallOptions: { removeUndefinedValues: true } });
const table = unique('electro');

const Employee = new Entity({
  model: { entity: 'employee', version: '1', service: 'office' },
  attributes: {
    id: { type: 'string', required: true }, team: { type: 'string', required: true }, name: { type: 'string' },
    grade: { type: 'number', default: 1 }, skills: { type: 'set', items: 'string' },
  },
  indexes: {
    byId: { pk: { field: 'pk', composite: ['id'] }, sk: { field: 'sk', composite: [] } },
    byTeam: { index: 'gsi1', collection: 'teamwork', pk: { field: 'gsi1pk', composite: ['team'] }, sk: { field: 'gsi1sk', composite: ['id'] } },
  },
}, { client, table });

const Task = new Entity({
  model: { entity: 'task', version: '1', service: 'office' },
  attributes: {
    task: { type: 'string', required: true }, team: { type: 'string', required: true }, done: { type: 'boolean', default: false },
    hours: { type: 'number', default: 0 },
  },
  indexes: {
    byTask: { pk: { field: 'pk', composite: ['task'] }, sk: { field: 'sk', composite: [] } },
    byTeam: { index: 'gsi1', collection: 'teamwork', pk: { field: 'gsi1pk', composite: ['team'] }, sk: { field: 'gsi1sk', composite: ['task'] } },
  },
}, { client, table });

const office = new Service({ Employee, Task });

await check('table', async () => {
  await bare.send(new CreateTableCommand({
    TableName: table, BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
    GlobalSecondaryIndexes: [{
      IndexName: 'gsi1', Projection: { ProjectionType: 'ALL' },
      KeySchema: [{ AttributeName: 'gsi1pk', KeyType: 'HASH' }, { AttributeName: 'gsi1sk', KeyType: 'RANGE' }],
    }],
  }));
  await waitUntilTableExists({ client: bare, maxWaitTime: 30 }, { TableName: table });
});

await check('create, get, create again fails', async () => {
  await Employee.create({ id: 'e1', team: 'red', name: 'Ann', skills: ['c++', 'sql'] }).go();
  const { data } = await Employee.get({ id: 'e1' }).go({ consistent: true });
  assert.deepEqual(data, { id: 'e1', team: 'red', name: 'Ann', grade: 1, skills: ['c++', 'sql'] });
  await assert.rejects(Employee.create({ id: 'e1', team: 'red' }).go(), /conditional request failed/);
});

await check('a collection query returns both entities', async () => {
  await Employee.put([{ id: 'e2', team: 'red' }, { id: 'e3', team: 'blue' }]).go();
  await Task.put([...Array(30).keys()].map((i) => ({ task: `t${String(i).padStart(2, '0')}`, team: 'red', hours: i }))).go();
  const { data } = await office.collections.teamwork({ team: 'red' }).go({ pages: 'all' });
  assert.equal(data.Employee.length, 2);
  assert.equal(data.Task.length, 30);
});

await check('where, cursors and order', async () => {
  const seen = [];
  let cursor = null;
  do {
    const page = await Task.query.byTeam({ team: 'red' }).where(({ hours }, { gte }) => gte(hours, 10)).go({ cursor, limit: 7 });
    seen.push(...page.data.map((task) => task.hours));
    cursor = page.cursor;
  } while (cursor);
  assert.deepEqual(seen, [...Array(20).keys()].map((i) => i + 10));
  const newest = await Task.query.byTeam({ team: 'red' }).go({ order: 'desc', limit: 1 });
  assert.equal(newest.data[0].task, 't29');
});

await check('patch with add, remove and a condition', async () => {
  await Task.patch({ task: 't05' }).add({ hours: 5 }).set({ done: true }).where(({ done }, { eq }) => eq(done, false)).go();
  const { data } = await Task.get({ task: 't05' }).go({ consistent: true });
  assert.equal(data.hours, 10);
  assert.equal(data.done, true);
  await assert.rejects(Task.patch({ task: 'absent' }).set({ done: true }).go(), /conditional request failed/);
});

await check('batch get and batch delete', async () => {
  const keys = [{ task: 't00' }, { task: 't01' }, { task: 'absent' }];
  assert.equal((await Task.get(keys).go()).data.length, 2);
  await Task.delete(keys).go();
  assert.equal((await Task.get(keys).go({ consistent: true })).data.length, 0);
});

await check('delete the table', () => bare.send(new DeleteTableCommand({ TableName: table })));

finish();
