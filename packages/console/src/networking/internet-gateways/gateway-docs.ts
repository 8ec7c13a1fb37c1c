export const gatewayDocs = {
  topic: 'internet gateways',
  summary:
    'An internet gateway is the way out of a VPC. Routes lead packets to it; they leave with an external address of the instance, if the address is from a pool that is attached to the gateway, or is attached itself.',
}
