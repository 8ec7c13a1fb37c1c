/** What `doctor` says of OVN's databases. */
import { networkFaults } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { until } from '../../control-plane/test/support/things.ts'
import { silentParts } from '../src/index.ts'
import { databaseMissing, startDatabase } from './support/database.ts'

test.skipIf(databaseMissing() !== undefined)(
  'lets go of one database if the other does not answer',
  async () => {
    const database = await startDatabase()
    const nobody = `${database.path}-of-nobody`
    expect(await silentParts(database.path, nobody)).toEqual([networkFaults.center.databases])
    await until(
      async () => database.sessions(),
      (sessions) => expect(sessions).toBe(0),
    )
  },
)
