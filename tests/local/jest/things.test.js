const { DynamoDB } = require("@aws-sdk/client-dynamodb");
const { DynamoDBDocument } = require("@aws-sdk/lib-dynamodb");

const client = new DynamoDB({
  endpoint: `http://127.0.0.1:${process.env.LOCAL_PORT}`,
  region: "local-env",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
});
const things = DynamoDBDocument.from(client);

test("the preset made the table", async () => {
  const { Table } = await client.describeTable({ TableName: "things" });
  expect(Table.TableStatus).toBe("ACTIVE");
});

test("an item comes back", async () => {
  await things.put({ TableName: "things", Item: { pk: "a", n: 1 } });
  const { Item } = await things.get({ TableName: "things", Key: { pk: "a" }, ConsistentRead: true });
  expect(Item).toEqual({ pk: "a", n: 1 });
});
