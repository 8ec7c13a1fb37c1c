/** The commands that bring real machines install every program that the engine runs. */
import { realMachineCommands } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { programs } from '../src/availability.ts'

test.each(Object.entries(programs))('%s is in a package that is installed', (_, debian) => {
  expect(realMachineCommands[0].split(' ')).toContain(debian)
})
