/**
 * Consistent action labels: sentence case and one verb each, unless the specification has its
 * own.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../src')

/** Labels that the specification prescribes in another spelling. */
const prescribed = [
  'New Instance',
  'New Floating IP',
  'New External Subnet',
  'New IP Pool',
  'New Subnet Pool',
  'Add Certificate',
  'Update Quotas',
  'Log in on device',
  // A page of the settings, whose titles are in title case.
  'Sign-in Security',
]

/** Proper names with a fixed spelling. */
const proper = /^(?:[A-Z]{2,}s?|OxQL|OpenID|Connect|IPv[46])$/

/**
 * Places that declare labels of actions: menus, pages, forms, buttons, and titles of forms.
 * Titles of documents are the specification's.
 */
const declared =
  /(?:\b(?:label|create|quickLabel|submit|submitLabel|title)(?:: |=|=\{)["']|<(?:Button|LinkButton|CreateButton)\b[^<]*>\s*)((?:New|Create|Add|Edit|Delete|Remove|Update|Upload|Link|Sign|Log|Attach|Detach|Start|Stop|Reboot)\b[^"'<{]*)/g

const labels = new Map<string, string[]>()
for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
  if (!/\.tsx?$/.test(file)) continue
  for (const [, label] of readFileSync(join(source, file), 'utf8').matchAll(declared)) {
    const text = label!.trim()
    labels.set(text, [...(labels.get(text) ?? []), file])
  }
}

test('labels are found', () => {
  expect(labels.size).toBeGreaterThan(100)
})

test.each([...labels.keys()].filter((label) => !prescribed.includes(label)))(
  '%s is in sentence case',
  (label) => {
    const [, ...words] = label.split(' ')
    const wrong = words.filter((word) => /^[A-Z]/.test(word) && !proper.test(word))
    expect(wrong, labels.get(label)!.join(', ')).toEqual([])
  },
)

test.each(prescribed)('%s is still a label', (label) => {
  expect(labels.has(label)).toBe(true)
})

test('the words are sign in and sign out, not log in', () => {
  const logs = [...labels.keys()].filter((label) => /^Log (?:in|out)\b/.test(label))
  expect(logs.filter((label) => !prescribed.includes(label))).toEqual([])
})
