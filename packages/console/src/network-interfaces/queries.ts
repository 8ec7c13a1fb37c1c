import { ALL_ITEMS, apiQuery } from '../data/api.ts'

export const projectVpcsQuery = (project: string) =>
  apiQuery('vpcList', { query: { project, limit: ALL_ITEMS } })

export const vpcSubnetsQuery = (project: string, vpc: string) =>
  apiQuery('vpcSubnetList', { query: { project, vpc, limit: ALL_ITEMS } })
