/** Networks of VPCs that carry packets between instances. */
export const vpcNetworkMessages = {
  unavailable: 'With this engine, no packets pass between instances',
}
