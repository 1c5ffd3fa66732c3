// `npm run edge`: writes the edge proxy's configuration from the table of calls and route prefixes.
// `--print` writes it to stdout instead; the other options are for trying the proxy on one machine, and need it.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { calls, edgeRules, routePrefixes, upgradePatterns } from '../contracts/dist/index.js';

const FILE = new URL('../deploy/nginx.conf', import.meta.url);

const { values } = parseArgs({
  options: {
    print: { type: 'boolean', default: false },
    listen: { type: 'string', default: '8080' },
    temp: { type: 'string', default: '/tmp' },
    resolver: { type: 'string', default: '127.0.0.11' },
    'command-service': { type: 'string', default: 'command-service:8080' },
    'query-service': { type: 'string', default: 'query-service:8080' },
  },
});

if (!values.print && process.argv.length > 2) {
  console.error(
    'These options are for trying the proxy: say --print too, and deploy/nginx.conf stays as it is.',
  );
  process.exit(64);
}

const rules = edgeRules(Object.values(calls), routePrefixes)
  .map(({ pattern, owner }) => `    "~${pattern}" ${values[owner]};`)
  .join('\n');
const upgrades = upgradePatterns(routePrefixes)
  .map((pattern) => `    "~${pattern}" $http_upgrade;`)
  .join('\n');

const config = `# Made by \`npm run edge\` from the calls and route prefixes in contracts/src: do not edit.
pid ${values.temp}/nginx.pid;
error_log stderr warn;
worker_processes auto;

events {
  worker_connections 4096;
}

http {
  access_log off;
  server_tokens off;
  default_type application/octet-stream;
  client_body_temp_path ${values.temp}/body;
  proxy_temp_path ${values.temp}/proxy;
  fastcgi_temp_path ${values.temp}/fastcgi;
  uwsgi_temp_path ${values.temp}/uwsgi;
  scgi_temp_path ${values.temp}/scgi;
  # Copies of a service come and go: their names are looked up again and again.
  resolver ${values.resolver} valid=2s;

  # The path as it was asked for, without its query.
  map $request_uri $asked_path {
    "~^(?<bare>[^?]*)" $bare;
  }
  map $request_method $asked_method {
    default $request_method;
    HEAD GET;
  }
  map "$asked_method $asked_path" $service {
${rules}
  }
  # A connection becomes a web socket at these paths only; any other offer to upgrade ends here.
  map $asked_path $upgrade_header {
${upgrades}
    default "";
  }
  map $upgrade_header $connection_header {
    default upgrade;
    "" "";
  }

  server {
    listen ${values.listen};
    # The services have limits of their own, and know which call may bring how much.
    client_max_body_size 0;
    client_header_timeout 20s;
    # Nothing is kept here: uploads and answers pass through.
    proxy_request_buffering off;
    proxy_buffering off;
    proxy_http_version 1.1;
    proxy_connect_timeout 2s;
    proxy_read_timeout 6000s;
    proxy_send_timeout 6000s;
    # A copy that does not answer at all is passed over; a request that reached one is not sent twice.
    proxy_next_upstream error timeout;
    proxy_next_upstream_tries 3;

    # Each process's own, for its own network. This one's health is that it answers.
    location = /healthz {
      default_type text/plain;
      return 200 "ok";
    }
    location = /readyz {
      return 404;
    }
    location = /metrics {
      return 404;
    }
    location / {
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      # Traces begin here or behind here, never with a visitor.
      proxy_set_header traceparent "";
      proxy_set_header Upgrade $upgrade_header;
      proxy_set_header Connection $connection_header;
      proxy_pass http://$service;
    }
  }
}
`;

if (values.print) process.stdout.write(config);
else writeFileSync(FILE, config);
