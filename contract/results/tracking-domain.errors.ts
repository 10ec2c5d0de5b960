/** Error codes of tracking domains. */
export const trackingDomainErrors = {
  tracking_domain_not_found: { status: 404, sentence: 'No tracking domain has this id.' },
  domain_taken: { status: 409, sentence: 'Another workspace uses this domain. Choose another subdomain.' },
  domain_invalid: {
    status: 422,
    sentence: 'This is not a public subdomain of your own. Enter one such as links.example.com.',
  },
} as const
