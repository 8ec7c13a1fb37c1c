import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId, uint32 } from '../../schema.ts'
import { searched } from '../../searched.ts'
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
  BgpConfigResultsPage,
  BgpConfigUpdate,
  BgpExportedRoutes,
  BgpImportedRoutes,
  BgpImportedRoutesIpv4,
  BgpPeerStatuses,
} from './schemas.ts'

const tags = ['system/networking']
const base = '/v1/system/networking'
const path = `${base}/bgp`
const setPath = `${base}/bgp-announce-set`
/** Configurations are named in the query. */
const query = { name_or_id: NameOrId }
const setParams = { announce_set: NameOrId }
const usualColumns = ['name', 'natural_name', 'description', 'time_created'] as const

const networking_bgp_config_list = {
  method: 'GET',
  path,
  tags,
  summary: 'List BGP configurations',
  permission: { bgp_config: 'list' },
  ...paged('name_or_id'),
  success: { status: 200, schema: BgpConfigResultsPage },
} as const satisfies Operation

const networking_bgp_announce_set_list = {
  method: 'GET',
  path: setPath,
  tags,
  summary: 'List announce sets',
  permission: { bgp_announce_set: 'list' },
  ...paged('name_or_id'),
  success: { status: 200, schema: BgpAnnounceSets },
} as const satisfies Operation

/** Live state of the switches. */
const live = (name: string, summary: string) =>
  ({
    method: 'GET',
    path: `${base}/${name}`,
    tags,
    summary,
    permission: { bgp_config: 'list' },
    live: true,
  }) as const
const ofAsn = { query: { asn: uint32 } }

export const bgpOperations = {
  networking_bgp_config_list,
  networking_bgp_config_search: searched({
    kind: 'BgpConfig',
    item: BgpConfigDetails,
    plain: networking_bgp_config_list,
    columns: [...usualColumns, 'asn'],
    filters: {},
  }),
  networking_bgp_config_create: {
    method: 'POST',
    path,
    tags,
    summary: 'Create a BGP configuration',
    permission: { bgp_config: 'create', bgp_announce_set: 'read' },
    body: BgpConfigCreate,
    success: { status: 201, schema: BgpConfig },
  },
  networking_bgp_config_view: {
    method: 'GET',
    path: `/x${path}/{bgp_config}`,
    tags: ['extensions'],
    summary: 'Show a BGP configuration with its announcements',
    permission: { bgp_config: 'read' },
    params: { bgp_config: NameOrId },
    success: { status: 200, schema: BgpConfigDetails },
  },
  networking_bgp_config_update: {
    method: 'PUT',
    path,
    tags,
    summary: 'Rename or describe a BGP configuration, or change its announce set',
    permission: { bgp_config: 'modify', bgp_announce_set: 'read' },
    query,
    body: BgpConfigUpdate,
    replaces: {
      id: 'networking_bgp_config_view',
      params: ({ query: { name_or_id } }) => ({ bgp_config: name_or_id! }),
    },
    success: { status: 200, schema: BgpConfig },
  },
  networking_bgp_config_delete: {
    method: 'DELETE',
    path,
    tags,
    summary: 'Delete a BGP configuration that no peer uses',
    permission: { bgp_config: 'modify' },
    query,
    success: { status: 204 },
  },
  networking_bgp_announce_set_list,
  networking_bgp_announce_set_search: searched({
    kind: 'BgpAnnounceSet',
    item: BgpAnnounceSetSummary,
    plain: networking_bgp_announce_set_list,
    columns: [...usualColumns],
    filters: {},
  }),
  networking_bgp_announce_set_view: {
    method: 'GET',
    path: `/x${setPath}/{announce_set}`,
    tags: ['extensions'],
    summary: 'Show an announce set with its networks and the configurations that announce them',
    permission: { bgp_announce_set: 'read' },
    params: setParams,
    success: { status: 200, schema: BgpAnnounceSetDetails },
  },
  networking_bgp_announce_set_update: {
    method: 'PUT',
    path: setPath,
    tags,
    summary: 'Create an announce set, or replace the description and networks of an existing one',
    permission: { bgp_announce_set: 'create', address_lot: 'read' },
    audited: { kind: 'bgp_announce_set', name: 'name' },
    body: BgpAnnounceSetCreate,
    replaces: {
      id: 'networking_bgp_announce_set_view',
      params: ({ body: { name } }) => ({ announce_set: name }),
    },
    success: { status: 200, schema: BgpAnnounceSet },
  },
  networking_bgp_announce_set_delete: {
    method: 'DELETE',
    path: `${setPath}/{announce_set}`,
    tags,
    summary: 'Delete an announce set that no configuration announces',
    permission: { bgp_announce_set: 'modify' },
    params: setParams,
    success: { status: 204 },
  },
  networking_bgp_announcement_list: {
    method: 'GET',
    path: `${setPath}/{announce_set}/announcement`,
    tags,
    summary: 'List the networks of an announce set',
    permission: { bgp_announce_set: 'read' },
    params: setParams,
    success: { status: 200, schema: BgpAnnouncements },
  },
  networking_bgp_status: {
    ...live('bgp-status', 'List the BGP peers of all switches with the states of their sessions'),
    success: { status: 200, schema: BgpPeerStatuses },
  },
  networking_bgp_exported: {
    ...live('bgp-exported', 'List the networks that are announced to each BGP peer'),
    success: { status: 200, schema: BgpExportedRoutes },
  },
  networking_bgp_imported: {
    ...live('bgp-imported', 'List the routes that the BGP peers of an ASN have announced'),
    ...ofAsn,
    success: { status: 200, schema: BgpImportedRoutes },
  },
  networking_bgp_imported_routes_ipv4: {
    ...live('bgp-routes-ipv4', 'List the IPv4 routes that the BGP peers of an ASN have announced'),
    ...ofAsn,
    success: { status: 200, schema: BgpImportedRoutesIpv4 },
  },
  networking_bgp_message_history: {
    ...live('bgp-message-history', 'Show the last BGP messages of each peer of an ASN'),
    ...ofAsn,
    success: { status: 200, schema: AggregateBgpMessageHistory },
  },
} as const satisfies Record<string, Operation>
