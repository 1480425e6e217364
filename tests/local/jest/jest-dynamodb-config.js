// The tables that the preset makes before the tests run, and where it looks for DynamoDB Local.
module.exports = {
  tables: [
    {
      TableName: "things",
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      BillingMode: "PAY_PER_REQUEST",
    },
  ],
  port: Number(process.env.LOCAL_PORT),
  hostname: "127.0.0.1",
  installerConfig: { installPath: process.env.LOCAL_INSTALLED },
};
