/** Modules that share a file, in the console and in the demo. */
export const codeSplitting = {
  // All other pages, dialogs and groups of routes are separate files.
  groups: [
    { name: 'start', tags: ['$initial' as const] },
    // Before the files below, which would take them along although no list needs them.
    { name: 'names', test: /[\\/]api[\\/]src[\\/]rules[\\/](names|ip|errors)\./ },
    // Files for parts that most lists, pages of instances, groups of routes or forms share, with
    // small icons. In a file of its own, `uint8array-extras` moves the runtime of the bundler out
    // of the start.
    {
      name: 'lists',
      test: /[\\/]src[\\/](page[\\/](routes|list-|use-list-page|columns|lazy-cell|engine|resource-list)|ui[\\/](cells|state-badge)|compute[\\/]instances[\\/]failure\.)|observability[\\/]briefings[\\/](briefing-part|room)\.|use-bulk|as-code[\\/](as-code|steps)|api[\\/]src[\\/]rules[\\/]bytes\.|icons[\\/]plus\./,
    },
    {
      name: 'instances',
      test: /[\\/]compute[\\/]instances[\\/](queries|external-ips|instance-actions|instance-cells|polling|start-instance|instance-route|rules)|[\\/]reachability[\\/](ends|test-action)\./,
    },
    // The heads of the pages of resources, above their tabs.
    {
      name: 'heads',
      test: /[\\/]src[\\/](ui[\\/](phone-disclosure|details-fold|properties-table|action-buttons)|page[\\/](glance|resource-header|page-tabs|resource-buttons))\./,
    },
    {
      name: 'queries',
      test: /[\\/]src[\\/](networking|compute|storage)[\\/](external-subnets|floating-ips|vpcs|disks|images|image-catalog|multicast-groups|affinity)[\\/](queries|group-kinds|disk-options)\.|[\\/]storage-pools[\\/]choices\.|[\\/]own-pools\./,
    },
    {
      name: 'routes',
      test: /[\\/]src[\\/](identity[\\/](access|service-accounts|users)|observability[\\/](overview|audit-log)|tenancy[\\/](utilization|usage)|storage[\\/]images|compute[\\/]instance-templates)[\\/]routes\./,
    },
    {
      name: 'forms',
      test: /[\\/]src[\\/](ui[\\/]((side-)?modal|form[\\/](field|form-state|side-modal-form|text-field))\.|forms[\\/]name-fields)|api[\\/]src[\\/]compute[\\/]instances[\\/]sizes\.|react-hook-form|uint8array-extras|icons[\\/]code-xml/,
    },
  ],
}
