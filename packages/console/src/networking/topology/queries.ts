import { apiQuery } from '../../data/api.ts'

/** The network of a project: its VPCs and everything connected to them. */
export const projectNetworkQuery = (project: string) =>
  apiQuery('projectNetworkView', { path: { project } })

/** The network of a VPC: everything connected to it. */
export const vpcNetworkQuery = (project: string, vpc: string) =>
  apiQuery('vpcNetworkView', { path: { vpc }, query: { project } })
