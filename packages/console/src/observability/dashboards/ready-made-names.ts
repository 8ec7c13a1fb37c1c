/** The ready-made dashboards: what stands for them in the address → their names. */
export const readyMadeNames = {
  project: { instances: 'Instances of the project', instance: 'One instance', disk: 'One disk' },
  system: { sleds: 'Sleds and hardware', 'control-plane': 'Control plane' },
} as const
