"""Reading logs: files, frames and OpenSearch UBI, with columns under any usual name."""
