export const vpcDocs = {
  topic: 'VPCs',
  summary:
    'A VPC is a private network of the project, with its own addresses. Instances in its subnets reach each other; firewall rules say what else may reach them, and routers say which way packets take.',
}
