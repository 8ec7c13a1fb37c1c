/** The pages of the documentation, in the order of the contents, by the name of their file. */
export const contents = [
  {
    title: 'Using a cloud',
    pages: [
      'getting-started',
      'projects',
      'instances',
      'charts',
      'storage',
      'networking',
      'external-addresses',
      'multicast',
      'affinity',
      'access',
      'code',
      'working-with-lists',
      'keyboard',
    ],
  },
  {
    title: 'Operating a cloud',
    pages: [
      'running',
      'issues',
      'silos',
      'scim',
      'pools',
      'hardware',
      'external-connectivity',
      'updates',
      'support-bundles',
      'alerts',
      'utilization',
      'troubleshooting',
    ],
  },
] as const
