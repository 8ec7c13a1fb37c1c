/** The commands that bring real machines install every program that the engine runs. */
import { realMachineCommands } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { programs, UEFI_PACKAGE } from '../src/availability.ts'

test.each(Object.entries(programs))('%s is in a package that is installed', (_, debian) => {
  expect(realMachineCommands[0].split(' ')).toContain(debian)
})

test('so is UEFI for guests', () => {
  expect(realMachineCommands[0].split(' ')).toContain(UEFI_PACKAGE)
})
