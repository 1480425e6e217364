// An S3 service on 127.0.0.1 with its objects below the folder of argument 1, and an empty bucket for each further
// argument. Prints its port once it listens; serves until its standard input ends.
import S3rver from '@20minutes/s3rver';

const [directory, ...buckets] = process.argv.slice(2);
const service = new S3rver({
  address: '127.0.0.1',
  port: 0,
  directory,
  silent: true,
  vhostBuckets: false,
  configureBuckets: buckets.map((name) => ({ name })),
});
const { port } = await service.run();
console.log(port);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
