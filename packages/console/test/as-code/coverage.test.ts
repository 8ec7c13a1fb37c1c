import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { everything } from './examples.ts'

const source = resolve(import.meta.dirname, '../../src')

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }))

const matches = (pattern: RegExp) =>
  files.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, operation]) => operation!))

test('every call shown as code has an example', () => {
  const shown = new Set([
    ...matches(/use(?:Api(?:Form|Action)|DeleteAction)\(\s*'(\w+)'/g),
    ...matches(/asCode\(\s*call\(\s*'(\w+)'/g),
  ])
  const known = new Set(everything.flat().map(({ operation }) => operation as string))
  expect([...shown].filter((operation) => !known.has(operation))).toEqual([])
  expect(shown.size).toBeGreaterThan(30)
})

/** Calls without code of their own, and the reasons. */
const notShown = {
  loginLocal: 'its password is a secret',
  deviceAuthConfirm: 'its code is used once, and a secret until then',
  instanceCreate: 'shown by the page itself, since user data is read from a file',
  storagePoolInstanceCreate: 'shown by the page itself, since user data is read from a file',
  instanceClone: 'shown by the page itself, since user data is read from a file',
  localIdpUserCreate: 'shown by its form with a placeholder, since the password is a secret',
  localIdpUserSetPassword: 'shown by its form with a placeholder, since the password is a secret',
  userLinkCreate: 'follows the creation of a user, with which it is shown',
  userLinkUse: 'its link is a secret of a mail',
  forgottenPassword: 'a question of somebody who cannot sign in',
  currentUserMailAddressUpdate: 'shown by its form with a placeholder, as the password is a secret',
  currentUserPasswordUpdate: 'shown by its form with placeholders, since passwords are secrets',
  factorSetupBegin: 'shown by the form with the setup that it begins',
  factorSetup: 'shown by its form with placeholders, since its contents are secrets',
  factorRemove: 'shown by its form with a placeholder, since the password is a secret',
  reachabilityPacketSend: 'shown by a button beside its own, since its answer stays on the page',
  recoveryCodesCreate: 'shown by its form with a placeholder, since the password is a secret',
  passkeyUpdate: 'shown by its form',
  siloCreate: 'shown by its form with the calls for the first administrator',
  certificateCreate: 'shown by its form with the names of its files, since the key is a secret',
  samlIdentityProviderCreate: 'shown by its form, since files are read when it is sent',
  notificationLinkFollow: 'its link is a secret of a mail',
  notificationRead: 'a mark of the console, which happens when a notification is opened',
  notificationReadAll: 'a mark of the console, up to the newest notification that is shown',
  notificationSubscriptionTest: 'a menu item without a confirmation',
  floatingIpAttach: 'the second call of a move, which is shown as a whole',
  floatingIpDetach: 'the first call of a move, which is shown as a whole',
  groupMembersUpdate: 'follows the creation of a user, with which it is shown',
  storagePoolCheck: 'repeats a look without a confirmation, which needs no script',
  storagePoolMakeDefault: 'a menu item without a confirmation',
  diskMoveCancel: 'controls a move, which needs no script',
  hostCheck: 'repeats checks without a confirmation, which needs no script',
  hostFencingCheck: 'repeats a check without a confirmation, which needs no script',
  instanceDiskAttach: 'follows the creation of a disk, with which it is shown',
  jobStart: 'shown with the plan that it starts',
  jobCancel: 'controls the job of this dialog, which needs no script',
  jobRetry: 'controls the job of this dialog, which needs no script',
  imageDownloadCreate: 'one press for a well-known image; its form shows the call',
  imageDownloadRetry: 'controls a download, which needs no script',
  imageDownloadDelete: 'forgets a download that has ended, which needs no script',
  settingVersionReasonUpdate: 'a correction of one text by hand, which needs no script',
  dismissalCreate: 'hides steps for this user alone, which needs no script',
  dismissalDelete: 'hides steps for this user alone, which needs no script',
  starCreate: 'marks a thing for this user alone, which needs no script',
  starDelete: 'marks a thing for this user alone, which needs no script',
  tagsChange: 'one tag at a time, by a press; the documentation of the API has the call',
  dashboardUpdate: 'shown by the settings of the dashboard, with all of its charts',
  scimTokenCreate: 'shown by its dialog, which goes on with the token that was made',
  jobDelete: 'forgets a plan, which the console made by itself',
}

test('every sent call is shown as code', () => {
  const sent = new Set(matches(/useApiMutation\(\s*'(\w+)'/g))
  expect([...sent].sort()).toEqual(Object.keys(notShown).sort())
})
