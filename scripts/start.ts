/** `npm start [-- options]`: builds the console and its documentation if they are stale, then runs the product. */
import { run } from '../packages/node/src/cli.ts'
import { consoleSite, docsSite, refresh } from './sites.ts'

await run(process.argv.slice(2), process.env, async () => {
  for (const site of [docsSite, consoleSite]) if (!(await refresh(site))) process.exit(1)
})
