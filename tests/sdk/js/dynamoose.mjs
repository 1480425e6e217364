// Dynamoose: models that create their own table, with an index, saves, queries, scans, conditions.
import dynamoose from 'dynamoose';
import { assert, check, clientConfig, finish, unique } from './tap.mjs';

dynamoose.aws.ddb.set(new dynamoose.aws.ddb.DynamoDB(clientConfig));
const name = unique('dynamoose');

const schema = new dynamoose.Schema({
  id: { type: String, hashKey: true },
  posted: { type: Number, rangeKey: true },
  author: { type: String, index: { name: 'byAuthor', type: 'global', rangeKey: 'posted' } },
  title: String,
  likes: { type: Number, default: 0 },
  labels: { type: Array, schema: [String] },
}, { timestamps: true });
const Post = dynamoose.model(name, schema, { throughput: 'ON_DEMAND' });
const table = new dynamoose.Table(name, [Post], { initialize: false, create: true, waitForActive: { enabled: true, check: { frequency: 50, timeout: 20_000 } } });

await check('the model creates its table', async () => {
  await table.initialize();
  assert.equal((await dynamoose.aws.ddb().describeTable({ TableName: name })).Table.TableStatus, 'ACTIVE');
});

await check('create, get, create again fails', async () => {
  await Post.create({ id: 'p1', posted: 1, author: 'ann', title: 'first', labels: ['a', 'b'] });
  const post = await Post.get({ id: 'p1', posted: 1 });
  assert.equal(post.title, 'first');
  assert.deepEqual(post.labels, ['a', 'b']);
  assert.ok(post.createdAt instanceof Date);
  await assert.rejects(Post.create({ id: 'p1', posted: 1 }), { name: 'ConditionalCheckFailedException' });
});

await check('query by index, sorted', async () => {
  await Post.batchPut([...Array(20).keys()].map((i) => ({ id: `q${i}`, posted: i, author: 'bob', title: `t${i}` })));
  const found = await Post.query('author').eq('bob').where('posted').ge(10).using('byAuthor').sort('descending').exec();
  assert.deepEqual(found.map((post) => post.posted), [...Array(10).keys()].map((i) => 19 - i));
});

await check('update with $ADD and a condition', async () => {
  await Post.update({ id: 'p1', posted: 1 }, { $ADD: { likes: 2 }, $SET: { title: 'edited' } });
  const post = await Post.get({ id: 'p1', posted: 1 });
  assert.equal(post.likes, 2);
  assert.equal(post.title, 'edited');
  const refused = Post.update({ id: 'p1', posted: 1 }, { title: 'no' }, { condition: new dynamoose.Condition().where('likes').gt(5) });
  await assert.rejects(refused, { name: 'ConditionalCheckFailedException' });
});

await check('scan with a filter', async () => {
  const found = await Post.scan('title').beginsWith('t1').all().exec();
  assert.equal(found.length, 11);
});

await check('batch get and delete', async () => {
  assert.equal((await Post.batchGet([{ id: 'q1', posted: 1 }, { id: 'q2', posted: 2 }])).length, 2);
  await Post.batchDelete([{ id: 'q1', posted: 1 }]);
  assert.equal(await Post.get({ id: 'q1', posted: 1 }), undefined);
});

await check('delete the table', () => dynamoose.aws.ddb().deleteTable({ TableName: name }));

finish();
