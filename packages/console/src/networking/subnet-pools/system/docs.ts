export const subnetPoolDocs = {
  topic: 'subnet pools',
  summary:
    'A subnet pool holds networks. The silos that it is linked to allocate external subnets from it.',
}
