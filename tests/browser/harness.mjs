// Tests by name, run one after the other; a failure is told and the rest goes on.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const [concord, folder, ...wanted] = process.argv.slice(2);

const SECONDS = 300; // for machines that have much else to do
const tests = [];
export function test(name, run) {
  if (wanted.length === 0 || wanted.some((it) => name.includes(it))) tests.push({ name, run });
}

export async function runAll() {
  let failed = 0;
  for (const { name, run } of tests) {
    let timer;
    const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`took longer than ${SECONDS} s`)), SECONDS * 1000)));
    try {
      await Promise.race([run(), late]);
    } catch (error) {
      ++failed;
      console.log(`FAILED ${name}\n${error.stack ?? error}\n`);
    } finally {
      clearTimeout(timer);
    }
  }
  console.log(`${tests.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

export function expect(condition, message) {
  if (!condition) throw new Error(message);
}

/** Runs concord in the repository: what it prints, and its exit status. */
export function run(args, { interruptAfter } = {}) {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: 'C.UTF-8', CONCORD_PROOFS: 'none' };
    const child = spawn(concord, args, { cwd: root, env });
    const out = { stdout: '', stderr: '', status: 0 };
    child.stdout.setEncoding('utf8').on('data', (text) => (out.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (out.stderr += text));
    if (interruptAfter !== undefined) setTimeout(() => child.kill('SIGINT'), interruptAfter);
    child.on('error', reject);
    child.on('close', (status) => resolve({ ...out, status }));
  });
}
