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
    networking_bgp_config_list: { pages: BgpConfig },
    networking_bgp_config_search: {
      items: 'BgpConfig',
      allColumns: ['name', 'natural_name', 'description', 'time_created', 'asn'],
    },
    networking_bgp_config_create: {
      permission: { bgp_config: 'create', bgp_announce_set: 'read' },
      body: BgpConfigCreate,
      answer: BgpConfig,
    },
    networking_bgp_config_view: {
      extension: true,
      summary: 'Show a BGP configuration with its announcements',
    },
    networking_bgp_config_update: {
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
    networking_bgp_config_delete: {
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
    networking_bgp_announce_set_list: { answer: BgpAnnounceSets, sort: 'name_or_id' },
    networking_bgp_announce_set_search: { pages: BgpAnnounceSetSummary, items: 'BgpAnnounceSet' },
    networking_bgp_announce_set_view: {
      extension: true,
      summary: 'Show an announce set with its networks and the configurations that announce them',
    },
    networking_bgp_announce_set_update: {
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
    networking_bgp_announce_set_delete: {
      summary: 'Delete an announce set that no configuration announces',
    },
    networking_bgp_announcement_list: {
      route: 'GET announcement',
      summary: 'List the networks of an announce set',
      answer: BgpAnnouncements,
    },
  }),
  /** Live state of the switches. */
  ...usual('bgp_config', { tag: 'system/networking', permission: { bgp_config: 'list' } })({
    networking_bgp_status: {
      route: 'GET /v1/system/networking/bgp-status',
      summary: 'List the BGP peers of all switches with the states of their sessions',
      live: true,
      answer: BgpPeerStatuses,
    },
    networking_bgp_exported: {
      route: 'GET /v1/system/networking/bgp-exported',
      summary: 'List the networks that are announced to each BGP peer',
      live: true,
      answer: BgpExportedRoutes,
    },
    networking_bgp_imported: {
      route: 'GET /v1/system/networking/bgp-imported',
      summary: 'List the routes that the BGP peers of an ASN have announced',
      query: ofAsn,
      live: true,
      answer: BgpImportedRoutes,
    },
    networking_bgp_imported_routes_ipv4: {
      route: 'GET /v1/system/networking/bgp-routes-ipv4',
      summary: 'List the IPv4 routes that the BGP peers of an ASN have announced',
      query: ofAsn,
      live: true,
      answer: BgpImportedRoutesIpv4,
    },
    networking_bgp_message_history: {
      route: 'GET /v1/system/networking/bgp-message-history',
      summary: 'Show the last BGP messages of each peer of an ASN',
      query: ofAsn,
      live: true,
      answer: AggregateBgpMessageHistory,
    },
  }),
}
