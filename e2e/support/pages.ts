/** Every page, panel and opened element of the console that `pages.spec.ts` looks at. */
import type { Page } from '@playwright/test'
import { makeCertificate } from '../../packages/api/test/support/certificates.ts'
import { expect } from './test.ts'
import { dialog, heading, openRowActions, rowAction } from './ui.ts'

/** A page or panel of the console with content. */
export interface PageUnderTest {
  path: string
  /** Heading of the page, or of the panel over it. */
  title: string
  panel?: true
  /** Waits for a part that comes late. */
  shows?: (page: Page) => Promise<unknown>
  /** Opens something on it. */
  open?: (page: Page) => Promise<unknown>
  errors?: RegExp
}

/** The page of the instance that runs. */
export const INSTANCE = '/projects/mill/instances/wheel'

/** A reachability question with a path through the network. */
const ASKED = 'from=internet&to=instance:wheel&protocol=tcp&port=22'

const CPU_QUERY =
  'get virtual_machine:vcpu_usage | filter state == "run" | align mean_within(1m) | group_by [instance_id], sum'

const showsWay = (page: Page) =>
  expect(page.getByRole('treeitem', { name: /^wheel, .* of the path: / })).toBeVisible()

export const pages: Record<string, PageUnderTest> = {
  login: { path: '/login/main/local', title: 'main' },
  'choosing a silo': { path: '/login/choose?silo=nobody', title: 'Sign in to a silo' },
  projects: { path: '/projects', title: 'Projects' },
  'overview of a project': { path: '/projects/mill/overview', title: 'mill' },
  'overview of a silo': { path: '/overview', title: 'main' },
  'overview of the fleet': { path: '/system/overview', title: 'Fleet' },
  'a row menu': {
    path: '/projects',
    title: 'Projects',
    open: (page) => openRowActions(page, 'mill'),
  },
  'the user menu': {
    path: '/projects',
    title: 'Projects',
    open: (page) => page.getByRole('button', { name: 'User menu' }).click(),
  },
  'quick actions': {
    path: '/projects',
    title: 'Projects',
    open: async (page) => {
      await page.keyboard.press('Control+k')
      await expect(dialog(page, 'Quick actions').getByRole('option').first()).toBeVisible()
    },
  },
  'keyboard help': {
    path: '/projects',
    title: 'Projects',
    open: async (page) => {
      await page.keyboard.press('?')
      await expect(dialog(page, 'Keyboard shortcuts')).toBeVisible()
    },
  },
  'help on a topic': {
    path: '/projects',
    title: 'Projects',
    open: (page) => page.getByRole('button', { name: 'Learn about projects' }).click(),
  },
  'a question': {
    path: '/projects',
    title: 'Projects',
    open: async (page) => {
      await rowAction(page, 'mill', 'Delete')
      await expect(dialog(page, 'Delete project').getByText('Deleted with it')).toBeVisible()
    },
  },
  'a new project': { path: '/projects-new', title: 'Create project', panel: true },
  'a form with errors': {
    path: '/projects-new',
    title: 'Create project',
    panel: true,
    open: async (page) => {
      await page.getByRole('button', { name: 'Create project' }).click()
      await expect(page.getByText('Name is required')).toBeVisible()
    },
  },
  'editing a project': { path: '/projects/mill/edit', title: 'Edit project', panel: true },
  jobs: { path: '/jobs', title: 'Jobs' },
  'silo access': { path: '/access', title: 'Silo Access' },
  'project access': { path: '/projects/mill/access', title: 'Project Access' },
  'service accounts of a project': {
    path: '/projects/mill/service-accounts',
    title: 'Service Accounts',
  },
  'service accounts of the silo': { path: '/service-accounts', title: 'Silo Service Accounts' },
  'fleet access': { path: '/system/access', title: 'Fleet Access' },
  'a new role assignment': {
    path: '/access',
    title: 'Silo Access',
    open: async (page) => {
      await page.getByRole('button', { name: 'Add user or group' }).click()
      await expect(dialog(page, 'Add user or group')).toBeVisible()
    },
  },
  'a new role in a project': {
    path: '/projects/mill/access',
    title: 'Project Access',
    open: async (page) => {
      await page.getByRole('button', { name: 'Add user or group' }).click()
      const form = dialog(page, 'Add user or group')
      await form.getByRole('combobox', { name: 'User or group' }).fill('mill-hand')
      await page.getByRole('option', { name: 'mill-hand' }).click()
      await form.getByRole('radio', { name: /^Collaborator/ }).check()
    },
  },
  'a removal of a role': {
    path: '/access',
    title: 'Silo Access',
    open: async (page) => {
      await rowAction(page, 'admin', 'Delete')
      await expect(
        dialog(page, 'Delete role assignment').getByRole('list', { name: 'Users losing access' }),
      ).toBeVisible()
    },
  },
  'who can do something': {
    path: '/projects',
    title: 'Projects',
    open: async (page) => {
      await rowAction(page, 'mill', 'Who can…')
      await expect(dialog(page, 'Who can…').getByRole('list', { name: 'Users' })).toBeVisible()
    },
  },
  'the access of a user': {
    path: '/access',
    title: 'Silo Access',
    open: async (page) => {
      await rowAction(page, 'admin', 'View access')
      await expect(dialog(page, 'Access').getByRole('table')).toBeVisible()
    },
  },
  profile: { path: '/settings/profile', title: 'Profile' },
  'SSH keys': { path: '/settings/ssh-keys', title: 'SSH Keys' },
  'a new SSH key': { path: '/settings/ssh-keys-new', title: 'Add SSH key', panel: true },
  'an SSH key': { path: '/settings/ssh-keys/laptop/edit', title: 'View SSH Key', panel: true },
  'access tokens': { path: '/settings/access-tokens', title: 'Access Tokens' },
  sessions: { path: '/settings/sessions', title: 'Sessions' },
  'the command line': { path: '/settings/command-line', title: 'Command Line' },
  notifications: { path: '/settings/notifications', title: 'Notifications' },
  'notification subscriptions': {
    path: '/settings/notifications?tab=subscriptions',
    title: 'Notifications',
    shows: (page) => expect(page.getByRole('table', { name: 'Subscriptions' })).toBeVisible(),
  },
  'a new notification subscription': {
    path: '/settings/notifications?tab=subscriptions',
    title: 'Notifications',
    open: async (page) => {
      await page.getByRole('button', { name: 'New subscription' }).click()
      const form = dialog(page, 'Create subscription')
      await form.getByRole('button', { name: 'Send by' }).click()
      await page.getByRole('option', { name: 'Slack' }).click()
      await expect(form.getByRole('group', { name: 'Topics' })).toBeVisible()
    },
  },
  'notifications of a project': { path: '/projects/mill/notifications', title: 'Notifications' },
  'a link of a mail': {
    path: '/login/mail-link/none',
    title: 'Link not valid',
    errors: /404|API error/,
  },
  'a sign-in link': { path: '/login/link', title: 'Link not valid' },
  'sign-in security': { path: '/settings/sign-in-security', title: 'Sign-in Security' },
  'a device': { path: '/device/verify', title: 'Device Authentication' },
  'a device that is signed in': { path: '/device/success', title: 'Device logged in' },
  disks: { path: '/projects/mill/disks', title: 'Disks' },
  'no disks': { path: '/projects/empty/disks', title: 'Disks' },
  'a new disk': { path: '/projects/mill/disks-new', title: 'Create disk', panel: true },
  'a disk': { path: '/projects/mill/disks/sacks', title: 'Disk details', panel: true },
  'the page of a disk': { path: '/projects/mill/disks/sacks/overview', title: 'sacks' },
  instances: { path: '/projects/mill/instances', title: 'Instances' },
  'no instances': { path: '/projects/empty/instances', title: 'Instances' },
  'a new instance': { path: '/projects/mill/instances-new', title: 'Create instance' },
  'a new instance with custom parts': {
    path: '/projects/mill/instances-new',
    title: 'Create instance',
    open: async (page) => {
      await page.getByRole('tab', { name: 'Custom' }).click()
      await page.getByRole('tab', { name: 'Existing disks' }).click()
      await page.getByRole('button', { name: 'Create instance' }).click()
      await expect(page.getByText('Name is required')).toBeVisible()
    },
  },
  'a new disk of a new instance': {
    path: '/projects/mill/instances-new',
    title: 'Create instance',
    open: async (page) => {
      await page.getByRole('button', { name: 'Create new disk' }).click()
      await dialog(page, 'Create disk').getByRole('radio', { name: 'Image' }).check()
      await page.getByRole('button', { name: 'Source image' }).click()
      await expect(page.getByRole('option').first()).toBeVisible()
    },
  },
  'a row menu with reasons': {
    path: '/projects/mill/instances',
    title: 'Instances',
    open: (page) => openRowActions(page, 'wheel'),
  },
  'resizing an instance': {
    path: '/projects/mill/instances',
    title: 'Instances',
    open: async (page) => {
      await rowAction(page, 'stones', 'Resize')
      await expect(dialog(page, 'Resize instance')).toBeVisible()
    },
  },
  'multicast groups': { path: '/multicast-groups', title: 'Multicast Groups' },
  'a multicast group': { path: '/multicast-groups/news', title: 'news' },
  'joining a multicast group': {
    path: `${INSTANCE}/networking`,
    title: 'wheel',
    open: async (page) => {
      await page.getByRole('button', { name: 'Join multicast group' }).click()
      await expect(
        dialog(page, 'Join multicast group').getByRole('textbox', { name: 'Sources' }),
      ).toBeVisible()
    },
  },
  'external subnets': { path: '/projects/mill/external-subnets', title: 'External Subnets' },
  'a new external subnet': {
    path: '/projects/mill/external-subnets-new',
    title: 'Create external subnet',
    panel: true,
  },
  'an external subnet': {
    path: '/projects/mill/external-subnets/yard/edit',
    title: 'Edit external subnet',
    panel: true,
  },
  'affinity groups': { path: '/projects/mill/affinity', title: 'Affinity Groups' },
  'a new affinity group': {
    path: '/projects/mill/affinity-new',
    title: 'New affinity group',
    panel: true,
  },
  'an anti-affinity group': { path: '/projects/mill/affinity/apart', title: 'apart' },
  'an affinity group': { path: '/projects/mill/affinity-groups/close', title: 'close' },
  'no affinity groups': { path: '/projects/empty/affinity', title: 'Affinity Groups' },
  'the settings of an instance': {
    path: '/projects/mill/instances/stones/settings',
    title: 'stones',
  },
  probes: { path: '/projects/mill/probes', title: 'Probes' },
  'a new probe': { path: '/projects/mill/probes-new', title: 'Create probe', panel: true },
  'a probe': { path: '/projects/mill/probes/echo', title: 'Probe details', panel: true },
  'a clone of an instance': { path: `${INSTANCE}/clone`, title: 'Clone wheel' },
  templates: { path: '/projects/mill/instance-templates', title: 'Templates' },
  'a new template': { path: '/projects/mill/instance-templates-new', title: 'New template' },
  'a template': { path: '/projects/mill/instance-templates/front-end', title: 'front-end' },
  'editing a template': {
    path: '/projects/mill/instance-templates/front-end/edit',
    title: 'Edit front-end',
  },
  'templates of the silo': { path: '/instance-templates', title: 'Silo Templates' },
  'a new template of the silo': { path: '/instance-templates-new', title: 'New template' },
  'a template of the silo': { path: '/instance-templates/small', title: 'Edit small' },
  schedules: { path: '/projects/mill/schedules', title: 'Schedules' },
  'deleted resources': { path: '/projects/mill/deleted', title: 'Recently Deleted' },
  'a new schedule': { path: '/projects/mill/schedules-new', title: 'New schedule' },
  'editing a schedule': { path: '/projects/mill/schedules/nightly/edit', title: 'Edit nightly' },
  'a schedule': { path: '/projects/mill/schedules/nightly', title: 'nightly' },
  'alert rules': { path: '/projects/mill/alert-rules', title: 'Alert Rules' },
  'a new alert rule': {
    path: '/projects/mill/alert-rules-new',
    title: 'New alert rule',
    open: async (page) => {
      await page.getByRole('tab', { name: 'Write' }).click()
      await page.getByRole('textbox', { name: 'Query' }).fill('get virtual_machine:vcpu_usage |')
      await page.getByRole('spinbutton', { name: 'Threshold' }).fill('9')
      await expect(page.getByText(/expected "filter"/)).toBeVisible()
    },
  },
  'a new alert rule from a preset': {
    path: '/projects/mill/alert-rules-new',
    title: 'New alert rule',
    open: async (page) => {
      await page.getByRole('button', { name: /Preset/ }).click()
      await page.getByRole('option', { name: 'CPU above 90%' }).click()
      await expect(page.getByText(/^Would (not )?have fired .*24 hours/)).toBeVisible()
    },
  },
  'editing an alert rule': {
    path: '/projects/mill/alert-rules/overworked/edit',
    title: 'Edit overworked',
    shows: (page) => expect(page.getByText(/^Would have fired once/)).toBeVisible(),
  },
  'an alert rule': {
    path: '/projects/mill/alert-rules/overworked',
    title: 'overworked',
    shows: (page) => expect(page.getByText(/^Would have fired once/)).toBeVisible(),
  },
  'an alert rule that was disabled': {
    path: '/projects/mill/alert-rules/hopeless',
    title: 'hopeless',
    shows: async (page) => {
      await expect(page.getByText('The rule was disabled')).toBeVisible()
      await expect(page.getByText(/^The evaluation took longer/)).toBeVisible()
    },
  },
  'no images of a project': {
    path: '/projects/empty/images',
    title: 'Project Images',
    shows: (page) => expect(page.getByRole('link', { name: 'Upload image' })).toHaveCount(2),
  },
  'port settings with warnings': {
    path: '/system/networking/port-settings-new',
    title: 'New port settings',
    open: async (page) => {
      for (let links = 0; links < 2; links++) {
        await page.getByRole('button', { name: 'Add link' }).click()
      }
      const warning = page.getByText('Additional links have no effect.')
      await expect(warning).toBeVisible()
      await warning.scrollIntoViewIfNeeded()
    },
  },
  'alert rules of the system': { path: '/system/alert-rules', title: 'Alert Rules' },
  storage: { path: `${INSTANCE}/storage`, title: 'wheel' },
  'attaching a disk': {
    path: '/projects/mill/instances/stones/storage',
    title: 'stones',
    open: async (page) => {
      await page.getByRole('button', { name: 'Attach existing disk' }).click()
      await dialog(page, 'Attach disk').getByRole('combobox').fill('s')
      await expect(page.getByRole('option', { name: 'sacks' })).toBeVisible()
    },
  },
  networking: { path: `${INSTANCE}/networking`, title: 'wheel' },
  'attaching a floating IP': {
    path: '/projects/mill/instances/stones/networking',
    title: 'stones',
    open: async (page) => {
      await page.getByRole('button', { name: 'Attach floating IP' }).click()
      const form = dialog(page, 'Attach floating IP')
      await form.getByRole('button', { name: 'Select a floating IP' }).click()
      await page.getByRole('option', { name: 'last' }).click()
      await expect(form.getByText('No connection is opened or closed.')).toBeVisible()
    },
  },
  VPCs: { path: '/projects/mill/vpcs', title: 'VPCs' },
  'a new VPC': { path: '/projects/mill/vpcs-new', title: 'Create VPC', panel: true },
  'a VPC': { path: '/projects/mill/vpcs/default', title: 'default' },
  'editing a VPC': { path: '/projects/mill/vpcs/default/edit', title: 'Edit VPC', panel: true },
  subnets: { path: '/projects/mill/vpcs/default/subnets', title: 'default' },
  'a new subnet': {
    path: '/projects/mill/vpcs/default/subnets-new',
    title: 'Create VPC subnet',
    panel: true,
  },
  'a subnet': {
    path: '/projects/mill/vpcs/default/subnets/default/edit',
    title: 'Edit VPC subnet',
    panel: true,
  },
  'instance metrics': {
    path: `${INSTANCE}/metrics/cpu`,
    title: 'wheel',
    shows: (page) => expect(page.getByRole('slider', { name: /^CPU Utilization/ })).toBeVisible(),
  },
  'metrics explorer': {
    path: '/projects/mill/metrics',
    title: 'Metrics',
    shows: (page) => expect(page.getByRole('button', { name: /^CPU by instance/ })).toBeVisible(),
  },
  'metrics explorer with a chart': {
    path: `/projects/mill/metrics?query=${encodeURIComponent(CPU_QUERY)}`,
    title: 'Metrics',
    shows: (page) =>
      expect(page.getByRole('slider', { name: /vcpu_usage over time/ })).toBeVisible(),
  },
  'metrics explorer with a table': {
    path: `/projects/mill/metrics?view=table&query=${encodeURIComponent(CPU_QUERY)}`,
    title: 'Metrics',
    shows: (page) => expect(page.getByRole('region', { name: 'Result as table' })).toBeVisible(),
  },
  'metrics explorer with a refused query': {
    path: `/projects/mill/metrics?query=${encodeURIComponent('get virtual_disk:nothing')}`,
    title: 'Metrics',
    shows: (page) => expect(page.getByText('The query cannot be answered')).toBeVisible(),
    errors: /400/,
  },
  'metrics explorer that builds a query': {
    path: `/projects/mill/metrics?query=${encodeURIComponent(CPU_QUERY)}`,
    title: 'Metrics',
    open: async (page) => {
      await page.getByRole('tab', { name: 'Build' }).click()
      await expect(page.getByRole('group', { name: 'Filter 1' })).toBeVisible()
    },
  },
  'metrics explorer of the system': {
    path: '/system/metrics',
    title: 'Metrics',
    shows: (page) =>
      expect(page.getByRole('button', { name: /^Temperatures of sleds/ })).toBeVisible(),
  },
  dashboards: {
    path: '/projects/mill/dashboards',
    title: 'Dashboards',
    shows: (page) => expect(page.getByRole('link', { name: 'One instance' })).toBeVisible(),
  },
  'ready-made dashboard': {
    path: '/projects/mill/dashboards/instance',
    title: 'One instance',
    shows: (page) => expect(page.getByRole('figure', { name: /^CPU time by state/ })).toBeVisible(),
    // Grouping without measurements is refused, and shown as no data.
    errors: /400/,
  },
  'dashboards of the system': {
    path: '/system/dashboards',
    title: 'Dashboards',
    shows: (page) => expect(page.getByRole('link', { name: 'Control plane' })).toBeVisible(),
  },
  'dashboard of the system': {
    path: '/system/dashboards/sleds',
    title: 'Sleds and hardware',
    shows: (page) => expect(page.getByRole('figure', { name: /^Temperature/ })).toBeVisible(),
    errors: /400/,
  },
  connect: { path: `${INSTANCE}/connect`, title: 'wheel' },
  'connecting by SSH': {
    path: `${INSTANCE}/connect`,
    title: 'wheel',
    open: async (page) => {
      // As low as in a small window.
      await page.setViewportSize({ width: 1280, height: 500 })
      await page.getByRole('region', { name: 'SSH' }).evaluate((part) => part.scrollIntoView())
    },
  },
  'instance settings': { path: `${INSTANCE}/settings`, title: 'wheel' },
  'instance history': {
    path: `${INSTANCE}/history`,
    title: 'wheel',
    shows: (page) => expect(page.getByRole('cell', { name: 'Succeeded' }).first()).toBeVisible(),
  },
  'audit log': {
    path: '/audit-log',
    title: 'Audit Log',
    shows: (page) => expect(page.getByRole('cell', { name: 'Succeeded' }).first()).toBeVisible(),
  },
  'audit log of the fleet': { path: '/system/audit-log', title: 'Audit log of the fleet' },
  utilization: {
    path: '/utilization',
    title: 'Utilization',
    shows: (page) => expect(page.getByRole('slider', { name: 'Storage over time' })).toBeVisible(),
  },
  'a range of time': {
    path: '/utilization',
    title: 'Utilization',
    open: async (page) => {
      await page.getByRole('button', { name: 'Choose a date range' }).click()
      await expect(dialog(page, 'Choose a date range')).toBeVisible()
    },
  },
  silos: { path: '/system/silos', title: 'Silos' },
  'a new silo': { path: '/system/silos-new', title: 'Create silo', panel: true },
  'login through a provider': { path: '/login/guild/saml/okta', title: 'guild' },
  'identity providers': { path: '/system/silos/guild/idps', title: 'guild' },
  'a new identity provider': {
    path: '/system/silos/guild/idps-new',
    title: 'Create identity provider',
    panel: true,
  },
  'an identity provider': {
    path: '/system/silos/guild/idps/saml/okta',
    title: 'Identity provider',
    panel: true,
  },
  'quotas of a silo': { path: '/system/silos/guild/quotas', title: 'guild' },
  'new quotas of a silo': {
    path: '/system/silos/guild/quotas',
    title: 'guild',
    open: async (page) => {
      await page.getByRole('button', { name: 'Edit quotas' }).click()
      await expect(dialog(page, 'Edit quotas')).toBeVisible()
    },
  },
  'IP pools of a silo': { path: '/system/silos/main/ip-pools', title: 'main' },
  'a pool for a silo': {
    path: '/system/silos/main/ip-pools',
    title: 'main',
    open: async (page) => {
      await page.getByRole('button', { name: 'Link pool' }).click()
      await expect(dialog(page, 'Link pool').getByRole('combobox')).toBeVisible()
    },
  },
  'no IP pools of a silo': { path: '/system/silos/guild/ip-pools', title: 'guild' },
  'subnet pools of a silo': { path: '/system/silos/main/subnet-pools', title: 'main' },
  'no subnet pools of a silo': { path: '/system/silos/guild/subnet-pools', title: 'guild' },
  sleds: { path: '/system/inventory/sleds', title: 'Inventory' },
  'physical disks': { path: '/system/inventory/disks', title: 'Inventory' },
  hosts: { path: '/system/inventory/hosts', title: 'Inventory' },
  'a new host': { path: '/system/inventory/hosts-new', title: 'Add host', panel: true },
  'a refused host': {
    path: '/system/inventory/hosts',
    title: 'Inventory',
    open: async (page) => {
      await page.getByRole('link', { name: 'sim-nostorage-7' }).click()
      await expect(page.getByRole('list', { name: 'Checks' })).toContainText('Failed')
    },
  },
  'storage pools': { path: '/system/inventory/storage-pools', title: 'Inventory' },
  'a new storage pool': {
    path: '/system/inventory/storage-pools-new',
    title: 'Add storage pool',
    panel: true,
  },
  'a storage pool': { path: '/system/inventory/storage-pools/default', title: 'default' },
  'an edited storage pool': {
    path: '/system/inventory/storage-pools/default/edit',
    title: 'Edit storage pool',
    panel: true,
  },
  'racks and switches': { path: '/system/inventory/racks', title: 'Inventory' },
  'hardware that waits': { path: '/system/inventory/waiting', title: 'Inventory' },
  'subnet pools': { path: '/system/networking/subnet-pools', title: 'Subnet Pools' },
  'a new subnet pool': {
    path: '/system/networking/subnet-pools-new',
    title: 'Create subnet pool',
    panel: true,
  },
  'a subnet pool': { path: '/system/networking/subnet-pools/yards', title: 'yards' },
  'silos of a subnet pool': {
    path: '/system/networking/subnet-pools/yards?tab=silos',
    title: 'yards',
  },
  'editing a subnet pool': {
    path: '/system/networking/subnet-pools/yards/edit',
    title: 'Edit subnet pool',
    panel: true,
  },
  'a new member of a subnet pool': {
    path: '/system/networking/subnet-pools/yards/members-add',
    title: 'Add member',
    panel: true,
  },
  'external connectivity': {
    path: '/system/networking/connectivity',
    title: 'External Connectivity',
  },
  'switch ports': { path: '/system/networking/switch-ports', title: 'External Connectivity' },
  'settings of ports': { path: '/system/networking/port-settings', title: 'External Connectivity' },
  'new port settings': { path: '/system/networking/port-settings-new', title: 'New port settings' },
  'port settings': {
    path: '/system/networking/port-settings/uplink-switch0',
    title: 'uplink-switch0',
  },
  'editing port settings': {
    path: '/system/networking/port-settings/uplink-switch0/edit',
    title: 'Edit uplink-switch0',
  },
  'system update': { path: '/system/update', title: 'System Update' },
  'uploading a release': {
    path: '/system/update/releases-new',
    title: 'Upload release',
    panel: true,
  },
  'a new trust root': {
    path: '/system/update/trust-roots-new',
    title: 'Add trust root',
    panel: true,
  },
  'address lots': { path: '/system/networking/address-lots', title: 'External Connectivity' },
  'a new address lot': {
    path: '/system/networking/address-lots-new',
    title: 'Create address lot',
    panel: true,
  },
  'an address lot': { path: '/system/networking/address-lots/provider', title: 'provider' },
  'loopback addresses': {
    path: '/system/networking/loopback-addresses',
    title: 'External Connectivity',
  },
  'a new loopback address': {
    path: '/system/networking/loopback-addresses-new',
    title: 'Create loopback address',
    panel: true,
  },
  'BGP configurations': { path: '/system/networking/bgp', title: 'External Connectivity' },
  'a new BGP configuration': {
    path: '/system/networking/bgp-new',
    title: 'Create BGP configuration',
    panel: true,
  },
  'editing a BGP configuration': {
    path: '/system/networking/bgp/edge/edit',
    title: 'Edit BGP configuration',
    panel: true,
  },
  'announce sets': { path: '/system/networking/announce-sets', title: 'External Connectivity' },
  'a new announce set': {
    path: '/system/networking/announce-sets-new',
    title: 'Create announce set',
    panel: true,
  },
  'editing an announce set': {
    path: '/system/networking/announce-sets/public/edit',
    title: 'Edit announce set',
    panel: true,
  },
  'BGP peers': { path: '/system/networking/bgp-peers', title: 'External Connectivity' },
  'BFD sessions': { path: '/system/networking/bfd', title: 'External Connectivity' },
  'a new BFD session': {
    path: '/system/networking/bfd-new',
    title: 'New BFD session',
    panel: true,
  },
  'settings of networking': {
    path: '/system/networking/settings',
    title: 'External Connectivity',
  },
  'the allow list': {
    path: '/system/networking/settings/allow-list',
    title: 'Edit allow list',
    panel: true,
  },
  'control plane': {
    path: '/system/control-plane',
    title: 'Control Plane',
    shows: (page) =>
      expect(page.getByRole('table', { name: 'Background tasks' })).toContainText('done'),
  },
  'support bundles': { path: '/system/support-bundles', title: 'Support Bundles' },
  'a new support bundle': {
    path: '/system/support-bundles-new',
    title: 'Collect support bundle',
    panel: true,
  },
  'a support bundle': {
    path: '/system/support-bundles',
    title: 'Support Bundles',
    open: async (page) => {
      await page.getByRole('link', { name: /^support-bundle-/ }).click()
      await expect(page.getByRole('button', { name: 'versions.json', exact: true })).toBeVisible()
    },
  },
  'a file of a support bundle': {
    path: '/system/support-bundles',
    title: 'Support Bundles',
    open: async (page) => {
      await page.getByRole('link', { name: /^support-bundle-/ }).click()
      await page.getByRole('button', { name: 'configuration/silos.json', exact: true }).click()
      await expect(dialog(page, 'silos.json').getByText('"identity_mode"')).toBeVisible()
    },
  },
  issues: {
    path: '/system/issues',
    title: 'Issues',
    shows: (page) =>
      expect(page.getByRole('link', { name: 'IP pool narrow is full' })).toBeVisible(),
  },
  alerts: { path: '/system/alerts', title: 'Alerts' },
  'an alert': {
    path: '/system/alerts',
    title: 'Alerts',
    open: async (page) => {
      await page.getByRole('link', { name: 'hardware.power_shelf.psu.remove' }).click()
      await expect(heading(page, 'hardware.power_shelf.psu.remove')).toBeVisible()
      await expect(page.getByRole('link', { name: 'pager' })).toBeVisible()
    },
  },
  'alert receivers': { path: '/system/alert-receivers', title: 'Alerts' },
  'a new receiver': {
    path: '/system/alert-receivers-new',
    title: 'Create receiver',
    panel: true,
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Subscriptions' }).fill('hardware.**')
      await page.getByRole('button', { name: 'Add subscription' }).click()
      await page.getByRole('button', { name: 'Create receiver' }).click()
      await expect(page.getByText('Secret is required')).toBeVisible()
    },
  },
  'editing a receiver': {
    path: '/system/alert-receivers/pager/edit',
    title: 'Edit receiver',
    panel: true,
  },
  'a receiver of alerts': {
    path: '/system/alert-receivers/pager',
    title: 'pager',
    open: async (page) => {
      await page
        .getByRole('button', { name: /attempt/ })
        .first()
        .click()
      await expect(dialog(page, 'Delivery')).toBeVisible()
    },
  },
  'a receiver that does not answer': {
    path: '/system/alert-receivers/pager',
    title: 'pager',
    open: async (page) => {
      await page.getByRole('button', { name: 'Send probe' }).click()
      await dialog(page, 'Send probe').getByRole('button', { name: 'Send probe' }).click()
      await expect(page.getByText('The probe was not delivered')).toBeVisible()
    },
  },
  'subscriptions of a receiver': {
    path: '/system/alert-receivers/pager?tab=subscriptions',
    title: 'pager',
  },
  'a new subscription': {
    path: '/system/alert-receivers/pager/subscriptions-add',
    title: 'Add subscription',
    panel: true,
  },
  'secrets of a receiver': {
    path: '/system/alert-receivers/pager?tab=secrets',
    title: 'pager',
  },
  'IP pools': { path: '/system/networking/ip-pools', title: 'IP Pools' },
  'a new IP pool': {
    path: '/system/networking/ip-pools-new',
    title: 'Create IP pool',
    panel: true,
  },
  'an IP pool': { path: '/system/networking/ip-pools/narrow', title: 'narrow' },
  'an IP pool without ranges': { path: '/system/networking/ip-pools/bare', title: 'bare' },
  'silos of an IP pool': { path: '/system/networking/ip-pools/narrow?tab=silos', title: 'narrow' },
  'addresses of an IP pool': {
    path: '/system/networking/ip-pools/default?tab=addresses',
    title: 'default',
    shows: (page) => expect(page.getByRole('cell', { name: 'wheel' }).first()).toBeVisible(),
  },
  'editing an IP pool': {
    path: '/system/networking/ip-pools/narrow/edit',
    title: 'Edit IP pool',
    panel: true,
  },
  'a new range': {
    path: '/system/networking/ip-pools/narrow/ranges-add',
    title: 'Add IP range',
    panel: true,
  },
  'fleet roles of a silo': { path: '/system/silos/guild/fleet-roles', title: 'guild' },
  'no fleet roles of a silo': { path: '/system/silos/main/fleet-roles', title: 'main' },
  'SCIM tokens of a silo': {
    path: '/system/silos/guild/scim',
    title: 'guild',
    shows: (page) => expect(page.getByRole('cell', { name: 'Never' })).toBeVisible(),
  },
  'no SCIM tokens of a silo': {
    path: '/system/silos/main/scim',
    title: 'main',
    shows: (page) => expect(page.getByText('No SCIM tokens')).toBeVisible(),
  },
  'a new SCIM token': {
    path: '/system/silos/guild/scim',
    title: 'guild',
    open: async (page) => {
      await page.getByRole('button', { name: 'Create token' }).click()
      await expect(dialog(page, 'Create SCIM token')).toBeVisible()
    },
  },
  'deleting a silo': {
    path: '/system/silos',
    title: 'Silos',
    open: async (page) => {
      await rowAction(page, 'guild', 'Delete')
      await expect(dialog(page, 'Delete silo')).toBeVisible()
    },
  },
  usage: {
    path: '/usage',
    title: 'Usage',
    shows: (page) => expect(page.getByRole('table', { name: 'Use by line' })).toBeVisible(),
  },
  'usage of the system': {
    path: '/system/usage',
    title: 'Usage',
    shows: (page) => expect(page.getByRole('table', { name: 'Use by line' })).toBeVisible(),
  },
  'utilization of the system': {
    path: '/system/utilization',
    title: 'Utilization',
    shows: (page) => expect(page.getByRole('link', { name: 'guild' })).toBeVisible(),
  },
  'utilization of the system over time': {
    path: '/system/utilization?tab=metrics',
    title: 'Utilization',
    shows: (page) => expect(page.getByRole('slider', { name: 'Storage over time' })).toBeVisible(),
  },
  'an audit log entry': {
    path: '/audit-log?search=wheel&range=hour',
    title: 'Audit Log',
    open: async (page) => {
      await page.getByRole('row').getByRole('button').first().click()
      await expect(dialog(page, 'Audit log entry')).toBeVisible()
    },
  },
  users: { path: '/users', title: 'Users & Groups' },
  'a new user': { path: '/users-new', title: 'Create user', panel: true },
  'an invitation': {
    path: '/users-invite',
    title: 'Invite',
    panel: true,
    open: async (page) => {
      const form = dialog(page, 'Invite')
      await form.getByRole('textbox', { name: 'Name or mail address' }).fill('ann')
      await form.getByRole('combobox', { name: 'Project' }).click()
      await page.getByRole('option').first().click()
    },
  },
  'a mail address of a user': {
    path: '/users',
    title: 'Users & Groups',
    open: async (page) => {
      await rowAction(page, 'mill-hand', 'Mail address')
      await expect(dialog(page, 'Mail address')).toBeVisible()
    },
  },
  'a password for a user': {
    path: '/users',
    title: 'Users & Groups',
    open: async (page) => {
      await rowAction(page, 'mill-hand', 'Set password')
      await expect(dialog(page, 'Set password')).toBeVisible()
    },
  },
  'a user': {
    path: '/users',
    title: 'Users & Groups',
    open: async (page) => {
      await page.getByRole('link', { name: 'mill-hand' }).click()
      await expect(heading(page, 'mill-hand')).toBeVisible()
      await expect(page.getByText('No SSH keys')).toBeVisible()
    },
  },
  groups: { path: '/groups', title: 'Users & Groups' },
  'a new group': { path: '/groups-new', title: 'Create group', panel: true },
  'a group': {
    path: '/groups',
    title: 'Users & Groups',
    open: async (page) => {
      await page.getByRole('link', { name: 'Millers of the lower valley' }).click()
      await expect(page.getByRole('link', { name: 'mill-hand' })).toBeVisible()
    },
  },
  'access to a silo': { path: '/system/silos/main/access', title: 'main' },
  'users of a silo': { path: '/system/silos/main/users', title: 'main' },
  'changing the password': {
    path: '/settings/profile?password=true',
    title: 'Profile',
    shows: (page) => expect(dialog(page, 'Change password')).toBeVisible(),
  },
  certificates: {
    path: '/certificates',
    title: 'Certificates',
    shows: (page) => expect(page.getByText('9 days left', { exact: true })).toBeVisible(),
  },
  'a new certificate with hints': {
    path: '/certificates-new',
    title: 'Add TLS certificate',
    panel: true,
    async open(page) {
      const { cert } = await makeCertificate({ names: ['other.example'], days: -1 })
      const buffer = Buffer.from(cert)
      const file = { name: 'other.pem', mimeType: 'application/x-pem-file', buffer }
      await page.getByLabel('Cert', { exact: true }).setInputFiles(file)
      await expect(page.getByText('Certificate domain mismatch')).toBeVisible()
      await page.getByRole('button', { name: 'Add certificate' }).click()
      await expect(page.getByText('Key is required')).toBeVisible()
    },
  },
  'serial console': {
    path: `${INSTANCE}/serial-console`,
    title: 'wheel',
    shows: (page) => expect(page.getByText('connected', { exact: true })).toBeVisible(),
  },
  'no serial console': {
    path: '/projects/mill/instances/stones/serial-console',
    title: 'stones',
  },
  'firewall rules': {
    path: '/projects/mill/vpcs/default/firewall-rules',
    title: 'default',
    shows: (page) => expect(page.getByRole('link', { name: 'allow-ssh' })).toBeVisible(),
  },
  'a new firewall rule': {
    path: '/projects/mill/vpcs/default/firewall-rules-new',
    title: 'Add firewall rule',
    panel: true,
  },
  'opening a port': {
    path: '/projects/mill/vpcs/default/firewall-rules',
    title: 'default',
    open: async (page) => {
      const line = page.getByRole('form', { name: 'New rule in one line' })
      await line.getByRole('combobox', { name: 'Allow', exact: true }).fill('https')
      await page.getByRole('option', { name: /^HTTPS/ }).click()
      await line.getByRole('combobox', { name: 'From', exact: true }).click()
      await page.getByRole('option', { name: 'Anywhere' }).click()
      await line.getByRole('combobox', { name: 'To', exact: true }).fill('wheel')
      await page.getByRole('option', { name: /^wheel/ }).click()
      await expect(line.getByText('Opens 1 connection.')).toBeVisible()
    },
  },
  'a firewall rule': {
    path: '/projects/mill/vpcs/default/firewall-rules/allow-ssh/edit',
    title: 'Edit rule',
    panel: true,
  },
  'the order of firewall rules': {
    path: '/projects/mill/vpcs/default/firewall-rules',
    title: 'default',
    async open(page) {
      await page.getByRole('button', { name: 'Change order' }).click()
      await expect(dialog(page, 'Change order of rules')).toBeVisible()
    },
  },
  routers: { path: '/projects/mill/vpcs/default/routers', title: 'default' },
  'a new router': {
    path: '/projects/mill/vpcs/default/routers-new',
    title: 'Create router',
    panel: true,
  },
  'a router': { path: '/projects/mill/vpcs/default/routers/system', title: 'system' },
  'a new route': {
    path: '/projects/mill/vpcs/default/routers/detour/routes-new',
    title: 'Create route',
    panel: true,
  },
  'a default route': {
    path: '/projects/mill/vpcs/default/routers/system/routes/default-v4/edit',
    title: 'Edit route',
    panel: true,
  },
  'internet gateways': {
    path: '/projects/mill/vpcs/default/internet-gateways',
    title: 'default',
  },
  'an internet gateway': {
    path: '/projects/mill/vpcs/default/internet-gateways/default',
    title: 'Internet gateway',
    panel: true,
    shows: (page) =>
      expect(page.getByRole('table', { name: 'Routes targeting this gateway' })).toBeVisible(),
  },
  'a new internet gateway': {
    path: '/projects/mill/vpcs/default/internet-gateways-new',
    title: 'Create internet gateway',
    panel: true,
  },
  'editing a router': {
    path: '/projects/mill/vpcs/default/routers/detour/edit',
    title: 'Edit router',
    panel: true,
  },
  'the network map': {
    path: `/projects/mill/network-map?${ASKED}`,
    title: 'Network Map',
    shows: showsWay,
  },
  'the topology of a VPC': {
    path: `/projects/mill/vpcs/default/topology?${ASKED}`,
    title: 'default',
    shows: showsWay,
  },
  'a question of reachability': {
    path: '/projects/mill/reachability?from=internet&to=instance:wheel',
    title: 'Reachability',
    open: async (page) => {
      await page.getByRole('button', { name: 'Test reachability' }).click()
      await expect(page.getByText('Enter a port from 1 to 65535')).toBeVisible()
    },
  },
  'an answer of reachability': {
    path: `/projects/mill/reachability?${ASKED}`,
    title: 'Reachability',
    shows: showsWay,
  },
  'not found': {
    path: '/projects/nobody',
    title: 'Page not found',
    errors: /404|API error|ApiError/,
  },
}
