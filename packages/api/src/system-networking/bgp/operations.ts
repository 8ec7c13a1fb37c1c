import { NameOrId, uint32 } from '../../schema.ts'
import {
  AggregateBgpMessageHistory,
  BgpAnnouncements,
  BgpAnnounceSet,
  BgpAnnounceSetCreate,
  BgpAnnounceSetDetails,
  BgpAnnounceSets,
  BgpAnnounceSetSummary,
  BgpConfig,
  BgpConfigCreate,
  BgpConfigDetails,
  BgpConfigUpdate,
  BgpExportedRoutes,
  BgpImportedRoutes,
  BgpImportedRoutesIpv4,
  BgpPeerStatuses,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/** Configurations are named in the query. */
const query = { name_or_id: NameOrId }

const ofAsn = { asn: uint32 }

export const bgpOperations = {
  ...usual('bgp_config', {
    item: BgpConfigDetails,
    id: 'networking_bgp_config',
    path: '/v1/system/networking/bgp/{bgp_config}',
    tag: 'system/networking',
  })({
    list: { pages: BgpConfig },
    search: {
      items: 'BgpConfig',
      allColumns: ['name', 'natural_name', 'description', 'time_created', 'asn'],
    },
    create: {
      permission: { bgp_config: 'create', bgp_announce_set: 'read' },
      body: BgpConfigCreate,
      answer: BgpConfig,
    },
    view: { extension: true, summary: 'Show a BGP configuration with its announcements' },
    update: {
      route: 'PUT /v1/system/networking/bgp',
      summary: 'Rename or describe a BGP configuration, or change its announce set',
      permission: { bgp_config: 'modify', bgp_announce_set: 'read' },
      query,
      body: BgpConfigUpdate,
      replaces: {
        id: 'networking_bgp_config_view',
        params: ({ query: { name_or_id } }) => ({ bgp_config: name_or_id! }),
      },
      answer: BgpConfig,
    },
    delete: {
      route: 'DELETE /v1/system/networking/bgp',
      summary: 'Delete a BGP configuration that no peer uses',
      query,
    },
  }),
  ...usual('bgp_announce_set', {
    item: BgpAnnounceSetDetails,
    id: 'networking_bgp_announce_set',
    path: '/v1/system/networking/bgp-announce-set/{announce_set}',
    tag: 'system/networking',
  })({
    list: { answer: BgpAnnounceSets, sort: 'name_or_id' },
    search: { pages: BgpAnnounceSetSummary, items: 'BgpAnnounceSet' },
    view: {
      extension: true,
      summary: 'Show an announce set with its networks and the configurations that announce them',
    },
    update: {
      route: 'PUT /v1/system/networking/bgp-announce-set',
      summary: 'Create an announce set, or replace the description and networks of an existing one',
      permission: { bgp_announce_set: 'create', address_lot: 'read' },
      audited: { kind: 'bgp_announce_set', name: 'name' },
      body: BgpAnnounceSetCreate,
      replaces: {
        id: 'networking_bgp_announce_set_view',
        params: ({ body: { name } }) => ({ announce_set: name }),
      },
      answer: BgpAnnounceSet,
    },
    delete: { summary: 'Delete an announce set that no configuration announces' },
  }),
  ...usual('bgp_announce_set', {
    id: 'networking_bgp',
    path: '/v1/system/networking/bgp-announce-set/{announce_set}',
    tag: 'system/networking',
  })({
    announcement_list: {
      route: 'GET announcement',
      summary: 'List the networks of an announce set',
      answer: BgpAnnouncements,
    },
  }),
  /** Live state of the switches. */
  ...usual('bgp_config', {
    id: 'networking_bgp',
    tag: 'system/networking',
    permission: { bgp_config: 'list' },
  })({
    status: {
      route: 'GET /v1/system/networking/bgp-status',
      summary: 'List the BGP peers of all switches with the states of their sessions',
      live: true,
      answer: BgpPeerStatuses,
    },
    exported: {
      route: 'GET /v1/system/networking/bgp-exported',
      summary: 'List the networks that are announced to each BGP peer',
      live: true,
      answer: BgpExportedRoutes,
    },
    imported: {
      route: 'GET /v1/system/networking/bgp-imported',
      summary: 'List the routes that the BGP peers of an ASN have announced',
      query: ofAsn,
      live: true,
      answer: BgpImportedRoutes,
    },
    imported_routes_ipv4: {
      route: 'GET /v1/system/networking/bgp-routes-ipv4',
      summary: 'List the IPv4 routes that the BGP peers of an ASN have announced',
      query: ofAsn,
      live: true,
      answer: BgpImportedRoutesIpv4,
    },
    message_history: {
      route: 'GET /v1/system/networking/bgp-message-history',
      summary: 'Show the last BGP messages of each peer of an ASN',
      query: ofAsn,
      live: true,
      answer: AggregateBgpMessageHistory,
    },
  }),
}
