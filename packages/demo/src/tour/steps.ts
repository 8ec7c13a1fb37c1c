/** A page of the demo that shows something, and the element there to look at. */
export interface Step {
  title: string
  text: string
  /** Words of the link to the page. */
  link: string
  path: string
  target: { selector: string; text?: string }
}

const shop = '/projects/storefront'

export const steps: readonly Step[] = [
  {
    title: 'A cloud in use',
    text: 'Four teams share this rack, each with a project of its own. Everything in this page is simulated except the control plane. Nothing you do can break anything: reloading the page starts over.',
    link: 'Overview of the shop',
    path: `${shop}/overview`,
    target: { selector: 'main section[aria-label="Last day"]' },
  },
  {
    title: 'Create an instance',
    text: 'Name it, choose a size and an image, and it boots in seconds. The form checks quotas, networks and user data before you send it.',
    link: 'New instance',
    path: `${shop}/instances-new`,
    target: { selector: 'main form input[name="name"]' },
  },
  {
    title: 'A serial console',
    text: 'Each running instance has a shell. Try ls, free, or ping orders-db.',
    link: 'Serial console of api-1',
    path: `${shop}/instances/api-1/serial-console`,
    target: { selector: '[role="application"]' },
  },
  {
    title: 'Can A reach B?',
    text: 'The answer is computed from firewall rules and routes, and names the rule that decides. Here the front end asks for its database.',
    link: 'Reachability',
    path: `${shop}/reachability?from=instance%3Aweb-1&to=instance%3Aorders-db&protocol=tcp&port=5432`,
    target: { selector: '[aria-label="Answer"] [role="status"]' },
  },
  {
    title: 'Live charts',
    text: 'Metrics of instances, disks, networks and the rack, with a query language for your own charts and dashboards.',
    link: 'Metrics of orders-db',
    path: `${shop}/instances/orders-db/metrics/cpu`,
    target: { selector: 'main figure' },
  },
  {
    title: 'Show as code',
    text: 'Every form shows itself as a call of the API, a command or Terraform, with the values that you have entered.',
    link: 'New instance',
    path: `${shop}/instances-new`,
    target: { selector: '[data-bottom-bar] button', text: 'Show as code' },
  },
  {
    title: 'Many at once, with a plan',
    text: 'Select instances and choose an action. Before anything happens, you see what will be done, what will not, and why.',
    link: 'Instances of the shop',
    path: `${shop}/instances`,
    target: { selector: '[aria-label="Select all"]' },
  },
  {
    title: "The operator's side",
    text: 'Sleds, disks, switches, IP pools, quotas and updates of the whole rack. One sled is waiting to be added, and a disk has failed.',
    link: 'Inventory',
    path: '/system/inventory/sleds',
    target: { selector: 'main table' },
  },
]
