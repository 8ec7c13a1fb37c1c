import { apiQuery } from '../../data/api.ts'

/** Everything that is connected to the VPCs of a project. */
export const projectNetworkQuery = (project: string) =>
  apiQuery('projectNetworkView', { path: { project } })

/** Everything that is connected to a VPC. */
export const vpcNetworkQuery = (project: string, vpc: string) =>
  apiQuery('vpcNetworkView', { path: { vpc }, query: { project } })
