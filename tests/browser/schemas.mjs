// What --format json and --format sarif print follows its schema: ours, and that of SARIF 2.1.0 as OASIS has it.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import Ajv from 'ajv';
import { expect, root, run, test } from './harness.mjs';

const options = { strict: false, validateFormats: false, allErrors: true };
const json = new Ajv2020(options).compile(JSON.parse(readFileSync(join(root, 'docs/report.schema.json'), 'utf8')));

function sarifSchema() {
  const require = createRequire(import.meta.url);
  let folder = dirname(require.resolve('ajv')); // beside it, since the package does not export its files
  while (!folder.endsWith('node_modules')) folder = dirname(folder);
  const schema = JSON.parse(readFileSync(join(folder, '@microsoft/sarif-multitool-ts/assets/sarif-2.1.0.schema.json'), 'utf8'));
  delete schema.$schema; // an older draft, of which nothing is used that means something else now
  return schema;
}
const sarif = new Ajv(options).compile(sarifSchema());

function validate(check, text, args) {
  const value = JSON.parse(text);
  expect(check(value), `concord ${args.join(' ')}\n${JSON.stringify(check.errors?.slice(0, 5), null, 1)}`);
  return value;
}

/** What the schema of SARIF cannot say. */
function expectConsistent(log, report) {
  const [{ results, tool, artifacts, invocations }] = log.runs;
  for (const it of results) {
    expect(tool.driver.rules[it.ruleIndex].id === it.ruleId, `${it.ruleId} is not rule ${it.ruleIndex}`);
    expect(it.kind === 'fail' || it.level === 'none', 'what does not fail has no level');
    for (const { physicalLocation } of [...it.locations, ...(it.relatedLocations ?? [])]) {
      const { uri, index } = physicalLocation.artifactLocation;
      expect(artifacts[index].location.uri === uri, `${uri} is not artifact ${index}`);
    }
    const flows = it.codeFlows?.[0].threadFlows ?? [];
    const order = flows.flatMap((flow) => flow.locations.map((step) => step.executionOrder));
    expect(order.sort((a, b) => a - b).every((number, index) => number === index + 1), `steps of ${it.properties.id}: ${order}`);
    for (const flow of flows) {
      const own = flow.locations.map((step) => step.executionOrder);
      expect(own.every((number, index) => index === 0 || own[index - 1] < number), `the steps of ${flow.id} are not in order`);
    }
    const property = report.properties.find((candidate) => candidate.id === it.properties.id);
    if (property) {
      expect(property.verdict === it.properties.verdict, `${property.id}: ${property.verdict} and ${it.properties.verdict}`);
      expect(property.trace.length === order.length, `${property.id}: ${property.trace.length} steps and ${order.length}`);
    }
  }
  const open = report.properties.filter((it) => it.verdict !== 'verified').length;
  const told = results.filter((it) => it.suppressions === undefined).length;
  expect(open === told, `${open} properties are not verified, ${told} are told`);
  expect(invocations[0].executionSuccessful === !report.interrupted, 'executionSuccessful');
}

async function both(args) {
  const asJson = await run([...args, '--format', 'json']);
  const asSarif = await run([...args, '--format', 'sarif']);
  expect(asJson.status === asSarif.status, `status ${asJson.status} and ${asSarif.status}`);
  const report = validate(json, asJson.stdout, args);
  const log = validate(sarif, asSarif.stdout, args);
  expect(log.runs[0].invocations[0].exitCode === asSarif.status, 'exitCode');
  expectConsistent(log, report);
  return log;
}

/** Of the gallery, for each engine, language and verdict the first line. */
const lines = readFileSync(join(root, 'examples/manifest.tsv'), 'utf8').split('\n').filter((it) => it !== '' && !it.startsWith('#'));
const seen = new Set();
for (const [name, args, verdict, , tagText] of lines.map((it) => it.split('\t'))) {
  const tags = tagText.split(',');
  const engine = ['modular', 'threads', 'explore', 'shape', 'dynamic'].find((it) => tags.includes(it));
  const language = ['plato', 'java', 'tvla'].find((it) => tags.includes(it));
  const key = `${engine} ${language} ${verdict}`;
  if (seen.has(key) || tags.includes('slow')) continue;
  seen.add(key);
  test(`schemas ${name}`, () => both(args.split(' ')));
}

test('schemas waived', async () => {
  const log = await both(['explore', 'tests/browser/waived.plato']);
  const suppressed = log.runs[0].results.filter((it) => it.suppressions !== undefined);
  expect(suppressed.length === 1 && suppressed[0].suppressions[0].justification === 'known, to be fixed', JSON.stringify(suppressed));
});

test('schemas nothing to check', async () => {
  const log = await both(['verify', 'tests/browser/nothing.plato']);
  expect(log.runs[0].invocations[0].toolExecutionNotifications[0].message.text.startsWith('nothing to check'), 'it says so');
});

test('schemas verified are told with -v', async () => {
  const args = ['verify', 'examples/simple-lock/simple_lock.plato', '-v', '--format', 'sarif'];
  const log = validate(sarif, (await run(args)).stdout, args);
  expect(log.runs[0].results.length > 0 && log.runs[0].results.every((it) => it.kind === 'pass'), 'all of them pass');
});

test('schemas malformed input', async () => {
  const args = ['verify', 'tests/browser/malformed.plato', '--format', 'sarif'];
  const { stdout, stderr, status } = await run(args);
  const [{ invocations, results }] = validate(sarif, stdout, args).runs;
  const [notification] = invocations[0].toolExecutionNotifications;
  expect(status === 65 && invocations[0].exitCode === 65 && !invocations[0].executionSuccessful, `status ${status}`);
  expect(results.length === 0 && notification.level === 'error', 'an error, and no result');
  expect(notification.locations[0].physicalLocation.region.startLine === 2, JSON.stringify(notification));
  expect(stderr.includes('malformed.plato:2:'), stderr);
});

test('schemas no such file', async () => {
  const args = ['verify', 'no-such-file.plato', '--format', 'sarif'];
  const { stdout, status } = await run(args);
  const [{ invocations }] = validate(sarif, stdout, args).runs;
  expect(status === 65 && /no such file/i.test(invocations[0].toolExecutionNotifications[0].message.text), stdout);
});
