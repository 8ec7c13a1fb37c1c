/**
 * Every edit form reports others' changes (`useEditForm`), and every action that replaces
 * something is refused after them (`useReplacingAction`).
 */
import {
  type Operation,
  type OperationId,
  operations,
  operationTable,
  replacedRead,
} from '@steading/api'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }))

const camel = (id: string) =>
  id.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
const rows = (Object.entries(operationTable) as [OperationId, Operation][]).map(
  ([id, operation]) => [camel(id), operation] as const,
)
/** Operations that replace something. */
const replacing = new Set(
  rows
    .filter(
      ([, operation]) =>
        operation.method === 'PUT' || replacedRead(operations, operation) !== undefined,
    )
    .map(([id]) => id),
)

/** Operations called without `useEditForm` and `useReplacingAction`, with reasons. */
const reasons: Record<string, string> = {
  currentUserMailAddressUpdate: 'a single address, which the user confirms',
  currentUserPasswordUpdate: 'a password is not shown',
  dashboardUpdate: 'charts of a dashboard: the page reports the conflict',
  factorSetup: 'adds a factor',
  groupMembersUpdate: 'adds and removes regardless of other members',
  instanceMulticastGroupJoin: 'adds a member',
  passkeyUpdate: 'renames regardless of the previous name',
  physicalDiskEnableAdoption: 'permits something, and replaces nothing',
  settingVersionReasonUpdate: 'a single text, which its author corrects',
  siloStoragePoolUpdate: 'it is one choice, which is made anew',
  simulatedDiskSetHealth: 'an event of the simulation',
  simulatedInstanceSetLoad: 'an event of the simulation',
  simulatedPowerSupplyUpdate: 'an event of the simulation',
  simulatedSledSetPower: 'an event of the simulation',
  simulatedUplinkUpdate: 'an event of the simulation',
  sledSetProvisionPolicy: 'sets the policy regardless of the previous one',
  networkingBgpAnnounceSetUpdate: 'the form that creates one',
  networkingSwitchPortSettingsCreate: 'the form that creates some',
  systemIpPoolSiloUpdate: 'sets the default regardless of the previous one',
  tagsChange: 'sets and removes tags regardless of others',
  systemUpdateRecoveryFinish: 'continues an update, and replaces nothing',
  systemSubnetPoolSiloUpdate: 'sets the default regardless of the previous one',
  userMailAddressUpdate: 'a single address, which the user confirms',
}

test('forms and actions that replace something detect changes by others', () => {
  const others = files.flatMap(({ text }) =>
    [...text.matchAll(/useApi(?:Form|Mutation|Action)(?:<[^(]*>)?\(\s*'(\w+)'/g)].map(
      ([, id]) => id!,
    ),
  )
  const found = new Set(others.filter((id) => replacing.has(id)))
  expect([...found].sort()).toEqual(
    Object.keys(reasons)
      .filter((id) => found.has(id))
      .sort(),
  )
})

/** The edit forms, with their operations. */
const editing = files.flatMap(({ name, text }) =>
  [...text.matchAll(/= useEditForm\(\s*([\s\S]*?),\s*\{\n([\s\S]*?)argsOf/g)].map(
    ([, operation, options]) => ({ name, operation: operation!, options: options! }),
  ),
)

test('edit forms name the answer that they replace', () => {
  const tags = rows.filter(([, operation]) => replacedRead(operations, operation)).map(([id]) => id)
  const unchecked = editing.flatMap(({ name, operation, options }) => {
    const called = [...operation.matchAll(/'(\w+)'/g)].map(([, id]) => id!)
    return called.some((id) => !tags.includes(id)) && !options.includes('tagged: false')
      ? [`${name}: ${operation}`]
      : []
  })
  // A view is read as part of a list, whose answer has another entity tag.
  expect(unchecked).toEqual(["workspace/views/view-form.tsx: 'viewUpdate'"])
})

test('the search finds all edit forms', () => {
  const uses = files.flatMap(({ name, text }) =>
    [...text.matchAll(/= useEditForm\(/g)].map(() => name),
  )
  expect(editing.map(({ name }) => name)).toEqual(uses)
  expect(uses.length).toBeGreaterThan(20)
})
