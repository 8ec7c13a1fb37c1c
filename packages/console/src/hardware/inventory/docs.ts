export const inventoryDocs = {
  topic: 'inventory',
  summary:
    'Sleds run instances and hold the disks that store volumes. Each distributed disk has three replicas, on different sleds; those of a sled or disk that fails are made anew elsewhere.',
}
