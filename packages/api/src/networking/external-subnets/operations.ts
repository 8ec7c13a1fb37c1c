import { NamesOrIds, resultsPage } from '../../schema.ts'
import {
  ExternalSubnet,
  ExternalSubnetAttach,
  ExternalSubnetCreate,
  ExternalSubnetUpdate,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const externalSubnetOperations = {
  ...usual('external_subnet', { item: ExternalSubnet })({
    external_subnet_list: {},
    external_subnet_search: {
      columns: ['subnet'],
      filters: { attached: ['yes', 'no'], pool: NamesOrIds },
    },
    external_subnet_create: {
      summary: 'Allocate a subnet for a project',
      body: ExternalSubnetCreate,
    },
    external_subnet_view: {},
    external_subnet_update: { body: ExternalSubnetUpdate },
    external_subnet_delete: { summary: 'Release a detached external subnet' },
    external_subnet_attach: {
      summary: 'Attach an external subnet to an instance',
      permission: { external_subnet: 'modify', instance: 'modify' },
      body: ExternalSubnetAttach,
    },
    external_subnet_detach: {
      summary: 'Detach an external subnet from its instance',
      evenIfFull: true,
      changes: ['instance'],
    },
  }),
  ...usual('instance')({
    instance_external_subnet_list: {
      route: 'GET external-subnets',
      summary: 'List the external subnets that are attached to an instance',
      permission: { instance: 'list' },
      answer: resultsPage(ExternalSubnet),
    },
  }),
}
