/** Lists, segments and contacts among the recipients: for pages whose session may read contacts. */
export { AudienceSources } from './audience-sources.tsx'
export { AudienceTotal } from './audience-total.tsx'
