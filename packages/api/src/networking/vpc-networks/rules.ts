/** Networks of VPCs: whether packets do what the console says. */

/** Sentences about the network of a VPC; `since` is a time in words. */
export const vpcNetworkSentences = {
  simulated: 'Simulated: packets follow all changes at once.',
  inEffect: 'In effect on all hosts.',
  behind: 'The latest changes are not in effect yet.',
  notCarried:
    'Not carried: instances do not reach each other by their private addresses, because their host uses the user-mode networking of QEMU. With OVN they do.',
}

/** The refusal while the network does not say what it has seen. */
export const networkSilent = 'The network does not answer now. Try again later'
