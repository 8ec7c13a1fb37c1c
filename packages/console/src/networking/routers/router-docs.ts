export const routerDocs = {
  topic: 'routers',
  summary:
    'A router says which way packets take out of the subnets that use it. Every VPC has a system router with routes to its subnets and to the internet. A custom router is used by the subnets that name it, before the system router. Of the routes that match an address, the one with the longest prefix is taken.',
}
