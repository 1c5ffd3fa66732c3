import { describe, expect, it } from 'vitest';
import { problemOfUrl } from './url.js';

describe('The connection string of EventStoreDB', () => {
  it.each([
    'esdb://localhost:2113?tls=false',
    'esdb://localhost',
    'esdb://admin:changeit@events.example:2113/?tls=true&tlsCAFile=ca.pem',
    'esdb://shop:p%3Ass%40word@events.example',
    'esdb+discover://cluster.example:2113?nodePreference=leader&keepAliveInterval=10000',
    'esdb://a:2113,b:2113,c:2113',
  ])('may be %s', (url) => expect(problemOfUrl(url)).toBeNull());

  it.each([
    ['kurrentdb://localhost', /look like/],
    ['esdb://', /look like/],
    ['esdb://a:b:c@localhost', /URL-encoded/],
    ['esdb://user@localhost', /URL-encoded/],
    ['esdb://user:50%@localhost', /URL-encoded/],
    ['esdb://user:p@ss@localhost', /look like/],
    ['esdb://localhost:port', /host:port/],
    ['esdb://localhost?secret=yes', /'secret'/],
    ['esdb://localhost?tls', /'tls'/],
    ['esdb://localhost?tlsVerifyCert=false', /'tlsVerifyCert'/],
    ['esdb://localhost?throwOnAppendFailure=false', /'throwOnAppendFailure'/],
  ])('is refused as %s', (url, why) => expect(problemOfUrl(url)).toMatch(why));

  it('is never repeated in what is said about it', () => {
    const url = 'esdb://shop:hunter2@events.example?hunter3=hunter4';
    expect(problemOfUrl(url)).not.toMatch(/hunter2|hunter4|events/);
  });
});
