/** `npm start [-- options]`: builds the console if it is stale, then runs the product. */
import { run } from '../packages/node/src/cli.ts'
import { consoleSite, refresh } from './sites.ts'

await run(process.argv.slice(2), process.env, async () => {
  if (!(await refresh(consoleSite))) process.exit(1)
})
