#!/bin/sh
# Creates the credentials that the engines of docker-compose.yml and the services share: passwords, MongoDB's key file
# and EventStoreDB's certificate. Existing files are not changed, so it may run before every start. To replace one,
# delete its file, and change it in the engine too (docs/deploy.md).
#
#   secrets.sh <folder>
#
# Each reader has a folder below that one: eventstore, mongodb, redis, services. If run as root, the script gives each
# folder to the user that runs this reader in docker-compose.yml.
set -eu
umask 077
root=${1:?the folder to write to}
cd "$root"
mkdir -p eventstore mongodb redis services
chmod 700 eventstore mongodb redis services

# Writes a file completely or not at all.
keep() {
  cat > "$1.part"
  mv "$1.part" "$1"
}
# Letters and digits only, because passwords are written into addresses and settings without escaping.
password() {
  [ -s "$1" ] || openssl rand -hex 32 | keep "$1"
}

password eventstore/admin-password
password eventstore/ops-password
password mongodb/password
password redis/password
[ -s mongodb/keyfile ] || openssl rand -base64 512 | keep mongodb/keyfile

# A certificate authority that signs one certificate. Its key is then deleted, so that nobody can sign another.
if [ ! -d eventstore/tls ]; then
  rm -rf eventstore/tls.part
  mkdir -p eventstore/tls.part/ca
  made=eventstore/tls.part
  cat > "$made/openssl.cnf" <<'CONFIG'
[req]
distinguished_name = name
prompt = no
x509_extensions = authority
[name]
CN = eventstoredb-node
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[node]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature, keyEncipherment
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = DNS:eventstore, DNS:localhost, IP:127.0.0.1
CONFIG
  ten_years=3650
  openssl req -x509 -newkey rsa:2048 -nodes -days $ten_years -config "$made/openssl.cnf" \
    -subj '/CN=Oja engines' -keyout "$made/ca.key" -out "$made/ca/ca.crt" 2> "$made/said" ||
    { cat "$made/said" >&2; exit 1; }
  openssl req -new -newkey rsa:2048 -nodes -config "$made/openssl.cnf" \
    -keyout "$made/node.key" -out "$made/node.csr" 2> "$made/said" || { cat "$made/said" >&2; exit 1; }
  openssl x509 -req -in "$made/node.csr" -days $ten_years -CA "$made/ca/ca.crt" -CAkey "$made/ca.key" \
    -set_serial "0x$(openssl rand -hex 16)" -extfile "$made/openssl.cnf" -extensions node \
    -out "$made/node.crt" 2> "$made/said" || { cat "$made/said" >&2; exit 1; }
  rm "$made/ca.key" "$made/node.csr" "$made/openssl.cnf" "$made/said"
  mv "$made" eventstore/tls
fi

# Files derived from those, written again at each run.
echo "requirepass $(cat redis/password)" | keep redis/redis.conf
cat eventstore/tls/ca/ca.crt | keep services/eventstore-ca.crt
echo "esdb://admin:$(cat eventstore/admin-password)@eventstore:2113?tls=true&tlsCAFile=/secrets/eventstore-ca.crt" |
  keep services/eventstore-url
echo "mongodb://oja:$(cat mongodb/password)@mongodb:27017/oja?replicaSet=oja&authSource=admin" |
  keep services/mongodb-url
echo "redis://:$(cat redis/password)@redis:6379" | keep services/redis-url

find eventstore mongodb redis services -type d -exec chmod 500 {} +
find eventstore mongodb redis services -type f -exec chmod 400 {} +
if [ "$(id -u)" = 0 ]; then
  chown -R 1000:1000 eventstore services
  chown -R 999:999 mongodb
  chown -R 999:1000 redis
fi
