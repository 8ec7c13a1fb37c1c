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
    list: {},
    search: { columns: ['subnet'], filters: { attached: ['yes', 'no'], pool: NamesOrIds } },
    create: { summary: 'Allocate a subnet for a project', body: ExternalSubnetCreate },
    view: {},
    update: { body: ExternalSubnetUpdate },
    delete: { summary: 'Release a detached external subnet' },
    attach: {
      summary: 'Attach an external subnet to an instance',
      permission: { external_subnet: 'modify', instance: 'modify' },
      body: ExternalSubnetAttach,
    },
    detach: { summary: 'Detach an external subnet from its instance', evenIfFull: true },
  }),
  ...usual('instance')({
    external_subnet_list: {
      route: 'GET external-subnets',
      summary: 'List the external subnets that are attached to an instance',
      permission: { instance: 'list' },
      answer: resultsPage(ExternalSubnet),
    },
  }),
}
