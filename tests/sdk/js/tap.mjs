// Runs named checks in order and prints one TAP line each; the process fails if any check did.
import assert from 'node:assert/strict';

export { assert };

export const endpoint = process.env.KEYFOLD_ENDPOINT;
if (!endpoint) throw new Error('KEYFOLD_ENDPOINT is not set; tests/sdk/run sets it');

export const clientConfig = {
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIAKEYFOLDTEST', secretAccessKey: 'keyfold-test-secret' },
  maxAttempts: 3,
};

// A name no other program or earlier run has used on this server.
export const unique = (name) => `${name}-${process.pid}-${Date.now().toString(36)}`;

// The server's clock, in seconds; { advance: SECONDS } moves it first, and returns when what was due is done.
export async function databaseTime(move) {
  const answer = await fetch(`${endpoint}/_keyfold/clock`, move ? { method: 'POST', body: JSON.stringify(move) } : {});
  assert.equal(answer.status, 200);
  return (await answer.json()).now;
}

let number = 0;
let failures = 0;

export async function check(name, body) {
  number += 1;
  try {
    await body();
    console.log(`ok ${number} - ${name}`);
  } catch (error) {
    failures += 1;
    console.log(`not ok ${number} - ${name}`);
    console.log(String(error.stack ?? error).replace(/^/gm, '  # '));
  }
}

export function finish() {
  console.log(`1..${number}`);
  process.exitCode = failures === 0 && number > 0 ? 0 : 1;
}

// The error `promise` fails with; its name must be `name`.
export async function failure(promise, name) {
  try {
    await promise;
  } catch (error) {
    assert.equal(error.name, name, error.message);
    return error;
  }
  assert.fail(`expected ${name}, but it succeeded`);
}
