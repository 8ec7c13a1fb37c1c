import { expect, test } from 'vitest'
import { makeHome, rootlessMissing, startServer } from './support/open-server.ts'

test.skipIf(rootlessMissing() !== undefined)('guest', async () => {
  const home = makeHome()
  const server = startServer(home)
  const t = performance.now()
  console.log(await server.open())
  console.log(performance.now() - t)
  console.log(JSON.stringify(await server.health(), null, 1))
  const id = await server.call('startGuest')
  console.log(id, performance.now() - t)
  console.log(await server.run('sh', '-c', 'ps ax | grep qemu-system | cut -c1-80'))
  await server.call('closeEngines')
  await server.kill()
})
