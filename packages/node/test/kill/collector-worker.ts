/** A server that collects and evaluates on command, line by line, until it is killed. */
import { createInterface } from 'node:readline'
import { startServer } from '../../src/server.ts'
import { collectorConfig } from './collector-config.ts'

const [, , data, databaseUrl] = process.argv
const { controlPlane } = await startServer(collectorConfig(data!, databaseUrl!))
const commands: Record<string, () => Promise<void>> = {
  collect: controlPlane.collect,
  evaluate: controlPlane.evaluateRules,
}
process.stdout.write('started\n')
for await (const line of createInterface({ input: process.stdin })) {
  // Commands are not queued.
  void commands[line]!().then(() => process.stdout.write(`${line}\n`))
}
